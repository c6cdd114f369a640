// SPDX-License-Identifier: Apache-2.0
//
// The last stage on the CPU executor, with a real compiler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "evolution/model/verdict_json.h"
#include "finalist_candidates.h"
#include "judged_bundle.h"

namespace cupilot {
using namespace model;
namespace {

using testing::Contains;
using testing::HasSubstr;
using Outcome = FinalistCheck::Outcome;

constexpr int kSkipped = 77;

Result<ProcessResult> judge(const std::filesystem::path &bundle) {
  ProcessRequest request;
  request.argv = {CUPILOT_EMULATE_PROGRAM, "judge", bundle.string()};
  request.time_limit = std::chrono::minutes(25);
  return run_process(request);
}

Bundle finalists_bundle(const std::string &id) {
  Bundle bundle = row_norm_bundle(id, "sm_90");
  bundle.cases = {row_norm_case("w", "w", 256, 512, true, {"user", "normal"}), hold_out_case()};
  bundle.request.run_seconds = kPatience;
  bundle.request.finalist = true;
  return bundle;
}

const FinalistCheck *check_named(const Verdict &verdict, const std::string &name) {
  const auto found = std::ranges::find(verdict.finalist, name, &FinalistCheck::name);
  return found == verdict.finalist.end() ? nullptr : &*found;
}

class CpuFinalist : public JudgedBundle {
protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder(std::move(*TemporaryFolder::create("cupilot-cpu-finalist")));
    ASSERT_TRUE(write_row_norm_bundle(folder_->path(), finalists_bundle("finalists"), finalist_candidates(),
                                      finalist_original()));
    const auto result = judge(folder_->path());
    ASSERT_TRUE(result) << result.error().message;
    output_ = new std::string(result->out);
    std::printf("%s%s\n", result->out.c_str(), result->err.c_str());
    for (const auto &candidate : finalist_candidates()) print(verdict(candidate.id));
  }
  static void print(const Verdict &v) {
    std::printf("%-22s %-10s verify %.1f s finalist %.1f s  %s\n", v.candidate.c_str(), to_string(v.kind),
                v.verify_seconds, v.finalist_seconds, v.reason.c_str());
    for (const FinalistCheck &check : v.finalist)
      std::printf("    %-16s %d %.1f s  %s\n", check.name.c_str(), static_cast<int>(check.outcome),
                  check.seconds, check.detail.c_str());
  }
};

TEST_F(CpuFinalist, AGoodOneIsToldEveryCheck) {
  const Verdict v = verdict("steady");
  EXPECT_EQ(v.kind, VerdictKind::faster) << v.reason;
  EXPECT_EQ(v.stage, "finalist");
  for (const char *name : {"4 repeats", "two streams", "graph capture", "peak memory", "hold-out odd",
                           "memcheck", "racecheck", "initcheck", "synccheck"}) {
    const FinalistCheck *check = check_named(v, name);
    ASSERT_TRUE(check) << name;
    EXPECT_EQ(check->outcome, Outcome::passed) << name << ": " << check->detail;
  }
  EXPECT_EQ(check_named(v, "4 repeats")->detail, "bitwise equal");
  EXPECT_THAT(check_named(v, "hold-out odd")->detail, HasSubstr("(faster)"));
  EXPECT_THAT(check_named(v, "racecheck")->detail, HasSubstr("by the CPU executor"));
  EXPECT_THAT(v.cases_passed, Contains("odd"));
}

TEST_F(CpuFinalist, TheHoldOutIsNotInTheSpeedUp) {
  const Verdict v = verdict("steady");
  ASSERT_EQ(v.estimates.size(), 2u);
  EXPECT_DOUBLE_EQ(overall_estimate(v), v.estimates[v.estimates[0].holdout ? 1 : 0].ratio);
}

TEST_F(CpuFinalist, RestlessWithinTheLimitsIsToldAndAllowed) {
  const Verdict v = verdict("restless");
  EXPECT_EQ(v.kind, VerdictKind::faster) << v.reason;
  const FinalistCheck *repeats = check_named(v, "4 repeats");
  ASSERT_TRUE(repeats);
  EXPECT_EQ(repeats->outcome, Outcome::passed);
  EXPECT_THAT(repeats->detail, HasSubstr("within the precision limits, the original's is bitwise equal"));
  EXPECT_GT(v.scratch_bytes, 0u);
}

TEST_F(CpuFinalist, AGlobalSharedByTwoLaunchesIsWrong) {
  expect("shares_a_global", VerdictKind::wrong, "two streams: ");
  EXPECT_EQ(verdict("shares_a_global").stage, "finalist");
  EXPECT_EQ(check_named(verdict("shares_a_global"), "two streams")->outcome, Outcome::failed);
}

TEST_F(CpuFinalist, ScratchHasABudget) {
  expect("greedy", VerdictKind::rejected, "peak memory: takes ");
}

TEST_F(CpuFinalist, HoldOutsDecide) {
  expect("wrong_on_the_hold_out", VerdictKind::wrong, "'odd'");
  expect("slow_on_the_hold_out", VerdictKind::rejected, "hold-out odd: estimated 0.");
}

TEST(CpuDeterministic, AllowsNoDifferenceFromRunToRun) {
  auto folder = TemporaryFolder::create("cupilot-cpu-deterministic");
  Bundle bundle = finalists_bundle("deterministic");
  bundle.deterministic = true;
  bundle.request.time = false;
  std::vector<HandCandidate> two;
  for (HandCandidate &one : finalist_candidates())
    if (one.id == "restless" || one.id == "steady") two.push_back(std::move(one));
  ASSERT_TRUE(write_row_norm_bundle(folder->path(), bundle, two, finalist_original()));
  const auto result = judge(folder->path());
  ASSERT_TRUE(result);
  const auto verdict = [&](const std::string &id) {
    return verdict_from_json(*read_file(folder->path() / "candidates" / id / "verdict.json")).value();
  };
  const Verdict restless = verdict("restless");
  EXPECT_EQ(restless.kind, VerdictKind::wrong) << restless.reason;
  EXPECT_THAT(restless.reason, HasSubstr("declared `deterministic`"));
  const Verdict steady = verdict("steady");
  EXPECT_EQ(steady.kind, VerdictKind::same) << steady.reason;
  EXPECT_EQ(steady.stage, "finalist") << "not timed, and looked at all the same";
}

}  // namespace
}  // namespace cupilot

int main(int argc, char **argv) {
  if (!cupilot::find_program(std::getenv("CUPILOT_NVCC") ? std::getenv("CUPILOT_NVCC") : "nvcc") &&
      !cupilot::find_program("/usr/local/cuda/bin/nvcc")) {
    std::puts("skipped: no nvcc here");
    return cupilot::kSkipped;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
