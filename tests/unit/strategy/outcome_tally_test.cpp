// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/outcome_tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/strategy/strategies.h"

namespace cupilot {
using namespace model;
using namespace strategy;
namespace {

const KernelLikeness kHere{
    .architecture = "sm_90", .features = {"loop"}, .roofline_class = "memory-bound", .kernel_id = "other"};

double weight(StrategyOutcome one) {
  return weight_of(one, kHere);
}

TEST(OutcomeTally, WeighsByLikeness) {
  auto one = outcome("a", VerdictKind::faster, 1.2);
  EXPECT_DOUBLE_EQ(weight(one), 1);
  one.architecture = "sm_90a";
  EXPECT_DOUBLE_EQ(weight(one), 1);
  one.architecture = "sm_80";
  EXPECT_DOUBLE_EQ(weight(one), 0.25);
  one.architecture = "sm_90", one.estimated = true;
  EXPECT_DOUBLE_EQ(weight(one), 0.25);
  one.estimated = false, one.roofline_class = "compute-bound";
  EXPECT_DOUBLE_EQ(weight(one), 0.5);
  one.roofline_class = "";
  EXPECT_DOUBLE_EQ(weight(one), 0.75);
  one.roofline_class = "memory-bound", one.features = {"atomic"};
  EXPECT_DOUBLE_EQ(weight(one), 0.25);
  one.features = {"atomic", "loop", "half"};  // one of three in common
  EXPECT_DOUBLE_EQ(weight(one), 0.5);
  one.kernel_id = "other";  // the very kernel: how it looks does not matter
  EXPECT_DOUBLE_EQ(weight(one), 2);
}

TEST(OutcomeTally, OneGenerationIsNearerThanTwo) {
  const KernelLikeness on_ampere{
      .architecture = "sm_80", .features = {"loop"}, .roofline_class = "memory-bound"};
  auto one = outcome("a", VerdictKind::faster, 1.2, "sm_86");
  EXPECT_DOUBLE_EQ(weight_of(one, on_ampere), 0.5);
  one.architecture = "sm_90";
  EXPECT_DOUBLE_EQ(weight_of(one, on_ampere), 0.25);
}

TEST(OutcomeTally, TellsFailuresFromSlowOnes) {
  OutcomeTally tally;
  for (const auto kind : {VerdictKind::wrong, VerdictKind::build_failed, VerdictKind::crashed})
    tally.add(outcome("a", kind), kHere);
  EXPECT_EQ(tally.failed, 3);
  tally.add(outcome("a", VerdictKind::slower, 0.5), kHere);
  tally.add(outcome("a", VerdictKind::same, 1), kHere);
  EXPECT_EQ(tally.realised, 2);
  EXPECT_DOUBLE_EQ(tally.log_speedups, std::log(0.5));
  auto refused = outcome("a", VerdictKind::not_evaluated);
  refused.refused = true;
  tally.add(refused, kHere);
  EXPECT_EQ(tally.failed, 4);
}

TEST(OutcomeTally, SaysWhatItHas) {
  OutcomeTally tally;
  EXPECT_EQ(tally.words("sm_90"), "");
  for (const double speedup : {1.38, 2.0, 1.1}) tally.add(outcome("a", VerdictKind::faster, speedup), kHere);
  EXPECT_EQ(tally.words("sm_90"), "3 wins of 3 on sm_90, median 1.38x");
  tally.add(outcome("a", VerdictKind::build_failed), kHere);
  EXPECT_EQ(tally.words("sm_90"), "3 wins of 4 on sm_90, median 1.38x; failed once (build_failed)");
  tally.add(outcome("a", VerdictKind::wrong, 0, "sm_80"), kHere);
  tally.add(outcome("a", VerdictKind::wrong, 0, "sm_89"), kHere);
  auto estimate = outcome("a", VerdictKind::faster, 1.5);
  estimate.estimated = true;
  tally.add(estimate, kHere);
  EXPECT_EQ(tally.words("sm_90"),
            "3 wins of 4 on sm_90, median 1.38x; 0 wins of 2 on sm_80, sm_89; 1 win of 1 estimated, median "
            "1.50x; failed 3 times (build_failed, wrong 2x)");
}

TEST(OutcomeTally, WhatWasNeverEvaluatedIsNoNews) {
  const std::vector<StrategyOutcome> history{outcome("a", VerdictKind::not_evaluated),
                                             outcome("b", VerdictKind::faster, 1.1)};
  const auto tallies = tallies_of(history, kHere);
  EXPECT_EQ(tallies.size(), 1u);
  EXPECT_TRUE(tallies.contains("b"));
}

}  // namespace
}  // namespace cupilot
