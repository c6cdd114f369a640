// SPDX-License-Identifier: Apache-2.0
//
// Originals and workloads that cannot serve as a reference, and what only a changed region or a shared buffer
// shows, on a real GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "original_run.h"

namespace cupilot {
using namespace model;
namespace {

using testing::AllOf;
using testing::HasSubstr;

Outcome judge(const std::string &original, Case which, std::vector<HandCandidate> candidates = {},
              bool deterministic = false) {
  if (candidates.empty()) candidates = {same_candidate(original)};
  return run_original({.program = {CUPILOT_WORKER_PROGRAM},
                       .architecture = gpu_architecture(),
                       .original = original,
                       .which = std::move(which),
                       .candidates = std::move(candidates),
                       .deterministic = deterministic});
}
Case small_case(std::vector<std::string> families = {"user"}) {
  return row_norm_case("w", "w", 64, 64, true, std::move(families));
}

void expect_refused(const Outcome &outcome, const testing::Matcher<const std::string &> &text) {
  EXPECT_EQ(outcome.end.exit_code, 1);
  EXPECT_TRUE(outcome.verdicts.empty());
  EXPECT_THAT(outcome.end.out, AllOf(HasSubstr("\"event\":\"error\""), HasSubstr("workload 'w'"), text));
}

TEST(GpuOriginal, WhoDoesNotRepeatHimselfIsRefused) {
  expect_refused(judge(every("y[k] = x[k] + (clock64() & 15);"), small_case()),
                 HasSubstr("not deterministic"));
}

TEST(GpuOriginal, DeterministicMeansBitwise) {
  const std::string original = every("y[k] = x[k] * (1 + 1e-7f * (clock64() & 1));");
  expect_refused(judge(original, small_case(), {}, true), HasSubstr("the directive says deterministic"));
}

TEST(GpuOriginal, ReadingWhatNobodyWroteIsRefused) {
  // A maximum ignores NaN: only another poison shows it.
  expect_refused(judge(every("y[k] = fmaxf(y[k], x[k]);"), small_case()),
                 HasSubstr("what was in memory before"));
}

TEST(GpuOriginal, WhatIsLeftUnwrittenIsNoRead) {
  const auto outcome = judge(every("if (k % 7) y[k] = x[k];"), small_case());
  ASSERT_EQ(outcome.verdicts.size(), 1u) << outcome.end.out;
  EXPECT_EQ(outcome.verdicts[0].kind, VerdictKind::same) << outcome.reason();
}

TEST(GpuOriginal, SizesAtWhichItReadsPastAnEndAreLeftOut) {
  const auto reading = [](const std::string &place) { return every("y[k] = x[" + place + "];"); };
  Case odd = row_norm_case("w/cols=63", "w", 64, 63, false);
  odd.once = true;
  const auto outcome = run_original({.program = {CUPILOT_WORKER_PROGRAM},
                                     .architecture = gpu_architecture(),
                                     .original = reading("cols % 64 == 0 ? k : k + 1"),
                                     .which = small_case(),
                                     .further = {odd},
                                     .candidates = {same_candidate(reading("k"))}});
  ASSERT_EQ(outcome.verdicts.size(), 1u) << outcome.end.out;
  EXPECT_EQ(outcome.verdicts[0].kind, VerdictKind::same) << outcome.reason();
}

TEST(GpuOriginal, AWorkloadThatDependsOnNothingIsRefused) {
  expect_refused(judge(every("y[k] = k;"), small_case()), HasSubstr("no output depends on the inputs"));
}

TEST(GpuOriginal, OutputsBelowRoundingAreRefused) {
  expect_refused(judge(every("y[k] = 1000.0f + 1e-4f * x[k];"), small_case()),
                 HasSubstr("no more than rounding may change"));
}

TEST(GpuProbe, ARegionThatIsNotReadIsNamed) {
  const auto outcome = judge(maximum_original(), row_norm_case("w", "w", 16, 64, true, {"user", "normal"}),
                             {skipping("tail", "k < n - n / 64"), skipping("sampled", "k % 4 != 1")});
  ASSERT_EQ(outcome.verdicts.size(), 2u) << outcome.end.out;
  EXPECT_THAT(outcome.verdicts[0].reason, HasSubstr("the last 1/64 of 'x' does not influence 'y'"));
  EXPECT_EQ(outcome.verdicts[1].kind, VerdictKind::wrong) << outcome.verdicts[1].reason;
}

TEST(GpuPlacement, InPlaceIsTheOriginalsToAllow) {
  const std::string original = every("y[k] = x[k] * w[k % cols];");
  const auto outcome = judge(
      original, small_case(),
      {clearing("careless", "", original), clearing("careful", "  if (x == y) return false;\n", original)});
  ASSERT_EQ(outcome.verdicts.size(), 2u) << outcome.end.out;
  EXPECT_THAT(outcome.verdicts[0].reason, HasSubstr("decline when the two pointers are equal"));
  EXPECT_EQ(outcome.verdicts[1].kind, VerdictKind::same) << outcome.verdicts[1].reason;
}

}  // namespace
}  // namespace cupilot
