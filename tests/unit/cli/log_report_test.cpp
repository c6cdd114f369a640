// SPDX-License-Identifier: Apache-2.0
//
// Runs written into a database as a search writes them, read back as people see them.

#include "driver/cli/history/log_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/text.h"
#include "driver/cli/text/table.h"

namespace cupilot::cli {
using namespace cupilot::cli::history;
using namespace cupilot::cli::text;
using namespace cupilot::model;
using namespace cupilot::store;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char *kStrategy = R"(cupilot-strategy 1
id: s0001
title: One warp per row
class: memory-bound
step: give each row to a warp
effect: fewer barriers
risk: short rows
check: compare rows
gain: 1.5
)";

Verdict timed(VerdictKind kind, double speedup) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.stage = "time";
  Measurement measurement;
  measurement.workload = "large";
  measurement.verdict = kind;
  measurement.speedup = measurement.speedup_low = measurement.speedup_high = speedup;
  measurement.original.median_us = 100;
  measurement.candidate.median_us = 100 / speedup;
  verdict.measurements.push_back(measurement);
  return verdict;
}

Individual individual(const std::string &id, std::vector<std::string> parents,
                      std::vector<std::int64_t> calls, const std::string &variant) {
  Individual one;
  one.id = id;
  one.strategies = {"s0001"};
  one.strategy_text = kStrategy;
  one.variant = variant;
  one.parents = std::move(parents);
  one.provider = "mailbox";
  one.calls = std::move(calls);
  return one;
}

/// c0001 fails, c0002 repairs it, c0003 is made of c0002 and is confirmed.
class StoredRunTest : public testing::Test {
protected:
  void SetUp() override {
    auto opened = Database::open(folder_->path() / "run.db");
    ASSERT_TRUE(opened) << opened.error().message;
    database_ = std::move(*opened);
    info_.kernel = "scale";
    info_.kernel_id = "k", info_.workload_id = "w", info_.architecture = "sm_90", info_.policy = "sce";
    run_ = *database_->begin_run(info_);
    const auto translated = ask("translator", "translator 1", 0.02),
               diagnosed = ask("revisor", "revisor_diagnose 1", 0.01),
               edited = ask("revisor", "revisor_edit 1", 0.01),
               second = ask("translator", "translator 1", 0.03);
    Verdict broken;
    broken.kind = VerdictKind::build_failed;
    broken.stage = "build";
    broken.reason = "no such name";
    judge(0, individual("c0001", {}, {translated}, "a\nb\n"), broken);
    judge(0, individual("c0002", {}, {translated, diagnosed, edited}, "a\nB\n"),
          timed(VerdictKind::faster, 2));
    judge(0, individual("c0003", {"c0002"}, {second}, "a\nB\nc\n"), timed(VerdictKind::faster, 3));
    judge(7, individual("c0003", {"c0002"}, {second}, "a\nB\nc\n"), timed(VerdictKind::faster, 2.9));
  }

  std::int64_t ask(const std::string &role, const std::string &version, double usd) {
    RoleCall call;
    call.role = role;
    call.prompt_version = version;
    call.prompt = "the prompt of " + version;
    call.question_sha256 = sha256(version + std::to_string(++asked_));
    call.provider = "anthropic";
    call.model = "m";
    call.tokens_in = 1000, call.tokens_out = 100;
    call.price_usd = usd;
    call.id = *database_->begin_role_call(run_, call);
    call.state = RoleCall::State::answered;
    call.answer = "the answer of " + version;
    EXPECT_TRUE(database_->end_role_call(call));
    return call.id;
  }
  void judge(std::uint64_t seed, const Individual &one, Verdict verdict) {
    const auto bundle = "b" + std::to_string(++bundles_);
    ASSERT_TRUE(
        database_->add_bundle(run_, {.id = bundle, .folder = bundle, .seed = seed, .individuals = {one}}));
    verdict.candidate = one.id;
    ASSERT_TRUE(database_->add_verdict(bundle, verdict));
    ASSERT_TRUE(database_->close_bundle(bundle));
  }
  RunView view() {
    auto viewed = view_of(*database_, database_->runs()->front());
    EXPECT_TRUE(viewed) << (viewed ? "" : viewed.error().message);
    return std::move(*viewed);
  }

  Result<TemporaryFolder> folder_ = TemporaryFolder::create("cupilot-log");
  std::optional<Database> database_;
  RunInfo info_;
  std::int64_t run_ = 0;
  int asked_ = 0, bundles_ = 0;
};

TEST_F(StoredRunTest, EveryIndividualStandsBelowWhatItWasMadeFrom) {
  const auto run = view();
  std::vector<std::string> drawn;
  for (const auto &row : lineage(run)) drawn.push_back(row.branch + row.one->individual.id);
  EXPECT_THAT(drawn, ElementsAre("c0001", "└─ c0002", "   └─ c0003"));
  EXPECT_EQ(run.individuals[1].repair_of, "c0001");
  EXPECT_EQ(run.individuals[1].fixes, 1);
  EXPECT_NEAR(run.individuals[1].usd, 0.04, 1e-9);
  EXPECT_TRUE(run.individuals[2].confirmation.has_value());
}

TEST_F(StoredRunTest, PromisesStandBesideWhatWasObserved) {
  const auto run = view();
  EXPECT_NEAR(run.individuals[2].observed, 1.5, 1e-9);
  const auto strategies = strategies_of(run);
  ASSERT_EQ(strategies.size(), 1u);
  EXPECT_EQ(strategies[0].title, "One warp per row");
  EXPECT_EQ(strategies[0].tried, 2u);  // a repair is no other try
  EXPECT_EQ(strategies[0].correct, 2u);
  EXPECT_NEAR(strategies[0].best, 3, 1e-9);
  EXPECT_NEAR(strategies[0].predicted, 1.5, 1e-9);
}

TEST_F(StoredRunTest, RolesAddUp) {
  const auto totals = role_totals(view().calls);
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals[0].role, "translator");
  EXPECT_EQ(totals[0].questions, 2u);
  EXPECT_EQ(totals[0].tokens_in, 2000);
  EXPECT_NEAR(totals[1].usd, 0.02, 1e-9);
}

TEST_F(StoredRunTest, TheTextFitsAHundredColumns) {
  const auto text = log_text(view());
  for (const auto &line : split_lines(text)) EXPECT_LE(display_width(line), 100u) << line;
  EXPECT_THAT(text, HasSubstr("best c0003 3.00x; models: 4400 tokens, $0.0700"));
  EXPECT_THAT(text, HasSubstr("faster, confirmed"));
  EXPECT_EQ(log_json(view())["individuals"].size(), 3u);
}

TEST_F(StoredRunTest, OneIndividualWithAllItCameOf) {
  const auto run = view();
  const auto text = show_text({run, run.individuals[1], "a\n"});
  EXPECT_THAT(
      text,
      HasSubstr("==== difference to original ====\n--- original\n+++ c0002\n@@ -1,1 +1,2 @@\n a\n+B\n"));
  EXPECT_THAT(text, HasSubstr("the prompt of revisor_edit 1\n"));
  EXPECT_THAT(text, HasSubstr("the answer of translator 1\n"));
  const auto json = show_json({run, run.individuals[2], ""});
  EXPECT_EQ(json["base"], "c0002");
  EXPECT_EQ(json["diff"], "--- c0002\n+++ c0003\n@@ -1,2 +1,3 @@\n a\n B\n+c\n");
  EXPECT_EQ(json["questions"].size(), 1u);
}

TEST_F(StoredRunTest, AnAlignedStrategyIsShownBeforeAndAfter) {
  auto aligned = replace_all(kStrategy, "One warp per row", "Two warps per row");
  ASSERT_TRUE(database_->align(run_, "c0003", aligned, {}));
  const auto run = view();
  const auto text = show_text({run, run.individuals[2], ""});
  EXPECT_THAT(text, HasSubstr("==== strategy as ordered ===="));
  EXPECT_THAT(text, HasSubstr("title: One warp per row"));
  EXPECT_THAT(text, HasSubstr("title: Two warps per row"));
}

TEST(Cut, KeepsWholeCharacters) {
  EXPECT_EQ(cut("short", 10), "short");
  EXPECT_EQ(cut("0123456789", 5), "0123…");
  EXPECT_EQ(display_width(cut("µµµµµµµµµµ", 5)), 5u);
}

}  // namespace
}  // namespace cupilot::cli
