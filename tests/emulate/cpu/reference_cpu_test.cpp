// SPDX-License-Identifier: Apache-2.0
//
// Originals and workloads that cannot serve as a reference are refused before any candidate, with a way out.
// And candidates that only a changed region or a shared buffer gives away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "original_run.h"

namespace cupilot {
using namespace model;
using namespace spec;
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kProgram{CUPILOT_EMULATE_PROGRAM, "judge"};

Outcome judge(const std::string &original, Case which, std::vector<std::string> waived = {}) {
  return run_original({.program = kProgram,
                       .original = original,
                       .which = std::move(which),
                       .candidates = {same_candidate(original)},
                       .waived = std::move(waived)});
}
Case small_case(std::vector<std::string> families = {"user"}) {
  return row_norm_case("w", "w", 64, 64, true, std::move(families));
}

void expect_refused(const Outcome &outcome, const testing::Matcher<const std::string &> &text) {
  EXPECT_EQ(outcome.end.exit_code, 1);
  EXPECT_TRUE(outcome.verdicts.empty());
  EXPECT_THAT(outcome.end.out, AllOf(HasSubstr("\"event\":\"error\""), HasSubstr("workload 'w'"), text));
}

TEST(CpuOriginal, OutOfBoundsIsTheUsersToMend) {
  expect_refused(
      judge(kKernelHead +
                "  for (int k = i; k <= rows * cols; k += gridDim.x * blockDim.x) y[k] = x[k % 64];\n}\n",
            small_case()),
      AllOf(HasSubstr("the original fails on workload 'w'"), HasSubstr("past the end of 'y'")));
}

/// Every block looks at what the last one writes, and nothing comes of it.
const std::string kBenignRace =
    kKernelHead +
    "  for (int k = i; k < rows * cols; k += gridDim.x * blockDim.x) y[k] = x[k];\n"
    "  if (y[rows * cols - 1] == 12345.0f) y[0] = 2;\n}\n";

TEST(CpuOriginal, ItsOwnRaceIsRefused) {
  expect_refused(judge(kBenignRace, row_norm_case("w", "w", 1024, 16, true, {"user"})),
                 HasSubstr("--waive "));
}

TEST(CpuOriginal, ARaceThatIsVouchedForIsWaivedForAll) {
  const auto outcome = judge(kBenignRace, row_norm_case("w", "w", 1024, 16, true, {"user"}),
                             {"global-race", "uninitialised-read"});
  EXPECT_EQ(outcome.end.exit_code, 0) << outcome.end.out;
  EXPECT_THAT(outcome.end.err, HasSubstr("fails the check 'global-race', which is waived"));
  EXPECT_THAT(outcome.reason(), HasSubstr("correct on every case"));
}

/// As kernels were written when the lanes of a warp ran in step.
TEST(CpuOriginal, LanesInStepBehindVolatileAreToldAndTolerated) {
  const auto outcome = judge(kKernelHead +
                                 "  __shared__ volatile float s[1024];\n"
                                 "  for (int k = i; k < rows * cols; k += gridDim.x * blockDim.x) {\n"
                                 "    s[threadIdx.x] = x[k];\n"
                                 "    y[k] = s[threadIdx.x ^ 1];\n  }\n}\n",
                             small_case());
  EXPECT_EQ(outcome.end.exit_code, 0) << outcome.end.out;
  EXPECT_THAT(outcome.end.err, HasSubstr("fails the check 'warp-race'; candidates are judged without"));
  EXPECT_THAT(outcome.reason(), HasSubstr("correct on every case"));
}

TEST(CpuOriginal, ReadingWhatNobodyWroteIsRefused) {
  expect_refused(judge(every("y[k] += x[k];"), small_case()),
                 AllOf(HasSubstr("uninitialised-read"), HasSubstr("--waive uninitialised-read")));
}

TEST(CpuOriginal, AWorkloadThatDependsOnNothingIsRefused) {
  expect_refused(judge(every("y[k] = k;"), small_case()),
                 AllOf(HasSubstr("no output depends on the inputs"), HasSubstr("fill(")));
}

TEST(CpuOriginal, OutputsBelowRoundingAreRefused) {
  expect_refused(judge(every("y[k] = 1000.0f + 1e-4f * x[k];"), small_case()),
                 AllOf(HasSubstr("no more than rounding may change"), HasSubstr("'y' by ")));
}

TEST(CpuOriginal, FixedInputsAreRefusedUnlessTheyAreVouchedFor) {
  Case which = small_case();
  which.buffers[0].fill.kind = which.buffers[1].fill.kind = FillKind::iota;
  const std::string program = every("y[k] = x[k] * w[k % cols];");
  expect_refused(judge(program, which),
                 AllOf(HasSubstr("workload 'w'"), HasSubstr("--waive no-random-input")));
  const auto outcome = judge(program, which, {"no-random-input"});
  EXPECT_EQ(outcome.end.exit_code, 0) << outcome.end.out;
  EXPECT_THAT(outcome.end.err, HasSubstr("no input is drawn at random"));
}

TEST(CpuOriginal, AnInputWithoutEffectIsANote) {
  const auto outcome = judge(every("y[k] = 2 * x[k];"), small_case());
  EXPECT_EQ(outcome.end.exit_code, 0) << outcome.end.out;
  EXPECT_THAT(outcome.end.err, HasSubstr("no region of 'w'"));
  EXPECT_THAT(outcome.end.err, Not(HasSubstr("no region of 'x'")));
}

TEST(CpuProbe, ARegionThatIsNotReadIsNamed) {
  const auto outcome = run_original({.program = kProgram,
                                     .original = maximum_original(),
                                     .which = row_norm_case("w", "w", 16, 64, true, {"user", "normal"}),
                                     .candidates = {skipping("tail", "k < n - n / 64"),
                                                    skipping("head", "k > 0"), skipping("none", "true")}});
  ASSERT_EQ(outcome.verdicts.size(), 3u) << outcome.end.out;
  EXPECT_EQ(outcome.verdicts[0].kind, VerdictKind::wrong);
  EXPECT_THAT(outcome.verdicts[0].reason, HasSubstr("the last 1/64 of 'x' does not influence 'y'"));
  EXPECT_EQ(outcome.verdicts[1].kind, VerdictKind::wrong);
  EXPECT_THAT(outcome.verdicts[1].reason, HasSubstr("the first 1/64 of 'x' does not influence 'y'"));
  EXPECT_EQ(outcome.verdicts[2].kind, VerdictKind::same) << outcome.verdicts[2].reason;
}

TEST(CpuPlacement, InPlaceIsTheOriginalsToAllow) {
  const std::string original = every("y[k] = x[k] * w[k % cols];");
  const auto outcome =
      run_original({.program = kProgram,
                    .original = original,
                    .which = small_case(),
                    .candidates = {clearing("careless", "", original),
                                   clearing("careful", "  if (x == y) return false;\n", original)}});
  ASSERT_EQ(outcome.verdicts.size(), 2u) << outcome.end.out;
  EXPECT_EQ(outcome.verdicts[0].kind, VerdictKind::wrong);
  EXPECT_THAT(outcome.verdicts[0].reason, HasSubstr("decline when the two pointers are equal"));
  EXPECT_EQ(outcome.verdicts[1].kind, VerdictKind::same) << outcome.verdicts[1].reason;
}

TEST(CpuPlacement, WhatTheOriginalCannotDoInPlaceNobodyMust) {
  const std::string original = every("y[k] = x[rows * cols - 1 - k];");
  const auto outcome = run_original({.program = kProgram,
                                     .original = original,
                                     .which = small_case(),
                                     .candidates = {clearing("careless", "", original)}});
  ASSERT_EQ(outcome.verdicts.size(), 1u) << outcome.end.out;
  EXPECT_EQ(outcome.verdicts[0].kind, VerdictKind::same) << outcome.verdicts[0].reason;
}

}  // namespace
}  // namespace cupilot
