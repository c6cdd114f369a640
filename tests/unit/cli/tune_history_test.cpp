// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/history/tune_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "annotate/support/files.h"
#include "evolution/strategy/strategy_text.h"

namespace cupilot::cli {
using namespace cupilot::cli::history;
using namespace cupilot::model;
using namespace cupilot::search;
using namespace cupilot::strategy;
namespace {

Strategy strategy(const std::string &id) {
  Strategy one;
  one.id = id;
  one.title = "One warp per row, 128-bit";
  one.roofline_classes = {"memory-bound"};
  one.steps = {"give each row to a warp"};
  one.expected_effect = "fewer barriers", one.risk = "short rows", one.check = "compare rows";
  one.conflicts = {"s0009"};
  return one;
}

TuneOutcome won_with(const Strategy &own) {
  TuneOutcome outcome;
  outcome.kernel = "scale", outcome.kernel_id = "k";
  JudgedIndividual winner;
  winner.individual.strategies = {own.id};
  winner.individual.strategy_text = to_text(own);
  outcome.winner = winner;
  StrategyOutcome one;
  one.strategy = own.id, one.kernel_id = "k", one.kernel = "scale", one.architecture = "sm_90";
  one.verdict = VerdictKind::faster, one.speedup = 2, one.at = "2026-11-22T04:17:00Z";
  outcome.outcomes = {one};
  return outcome;
}

/// In a data folder of its own.
class HistoryTest : public testing::Test {
protected:
  void SetUp() override { ::setenv("CUPILOT_DATA", folder_->path().c_str(), 1); }
  void TearDown() override { ::unsetenv("CUPILOT_DATA"); }
  Result<TemporaryFolder> folder_ = TemporaryFolder::create("cupilot-history");
};

TEST_F(HistoryTest, TheWinnersOwnStrategyIsLearned) {
  auto history = TuneHistory::open();
  history.keep(won_with(strategy("s0007")), StrategyPool());
  const auto known = TuneHistory::open().at_begin_of(folder_->path() / "one.json");
  ASSERT_EQ(known.learned.size(), 1u);
  ASSERT_EQ(known.outcomes.size(), 1u);
  EXPECT_TRUE(known.outcomes[0].strategy.starts_with("one-warp-per-row-128-bit-"))
      << known.outcomes[0].strategy;
  const auto pool = joined(StrategyPool(), known);
  EXPECT_NE(pool.find(known.outcomes[0].strategy), nullptr);
}

TEST_F(HistoryTest, ThePoolsOwnIsNot) {
  const auto known = *StrategyPool::of([] {
    auto one = strategy("warp-rows");
    one.conflicts.clear();
    return std::vector{one};
  }());
  EXPECT_FALSE(learned_strategy(won_with(strategy("warp-rows")), known));
  auto nothing = won_with(strategy("s0007"));
  nothing.winner.reset();
  EXPECT_FALSE(learned_strategy(nothing, known));
}

TEST_F(HistoryTest, ARunKeepsTheHistoryItBeganWith) {
  const auto snapshot = folder_->path() / "run" / "one.json";
  EXPECT_TRUE(TuneHistory::open().at_begin_of(snapshot).outcomes.empty());
  auto history = TuneHistory::open();
  history.keep(won_with(strategy("s0007")), StrategyPool());
  EXPECT_TRUE(history.at_begin_of(snapshot).outcomes.empty());
  EXPECT_EQ(history.at_begin_of(folder_->path() / "run" / "other.json").outcomes.size(), 1u);
}

TEST_F(HistoryTest, ADamagedOneIsAWarning) {
  ASSERT_TRUE(write_file_atomic(folder_->path() / "history.db", std::string(4096, 'x')));
  auto history = TuneHistory::open();
  EXPECT_TRUE(history.at_begin_of(folder_->path() / "one.json").outcomes.empty());
  history.keep(won_with(strategy("s0007")), StrategyPool());
}

TEST(KnownHistory, ReadsBackWhatItWrote) {
  KnownHistory known{.outcomes = won_with(strategy("s0007")).outcomes, .learned = {"a\nb"}};
  known.outcomes[0].features = {"loop", "shuffle"};
  known.outcomes[0].refused = true;
  const auto back = known_history_from_json(to_json(known));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), to_json(known));
  EXPECT_EQ(back->outcomes[0].features, known.outcomes[0].features);
}

}  // namespace
}  // namespace cupilot::cli
