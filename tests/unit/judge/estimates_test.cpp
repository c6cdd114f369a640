// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/time/estimates.h"

#include <gtest/gtest.h>

namespace cupilot {
using namespace judge::time;
using namespace model;
namespace {

Estimate estimate(double original_us, double candidate_us) {
  Estimate one{.workload = "llama"};
  one.original.time_us = original_us;
  one.candidate.time_us = candidate_us;
  one.candidate.bound = "dram";
  one.candidate.blocks = 8192;
  one.candidate.blocks_run = 264;
  judge_estimate(one);
  return one;
}

TEST(Estimates, SmallDifferencesAreTies) {
  EXPECT_EQ(estimate(100, 100).verdict, VerdictKind::same);
  EXPECT_TRUE(estimate(114, 100).tie);
  EXPECT_EQ(estimate(114, 100).verdict, VerdictKind::same);
  EXPECT_EQ(estimate(100, 114).verdict, VerdictKind::same);
  EXPECT_EQ(estimate(116, 100).verdict, VerdictKind::faster);
  EXPECT_EQ(estimate(100, 116).verdict, VerdictKind::slower);
  EXPECT_FALSE(estimate(200, 100).tie);
  EXPECT_DOUBLE_EQ(estimate(200, 100).ratio, 2);
}

TEST(Estimates, NothingKnownIsATie) {
  EXPECT_EQ(estimate(0, 100).ratio, 0);
  EXPECT_TRUE(estimate(100, 0).tie);
}

TEST(Estimates, OneSlowerWorkloadIsEnough) {
  EXPECT_EQ(overall_kind(std::vector{estimate(200, 100), estimate(100, 200)}), VerdictKind::slower);
  EXPECT_EQ(overall_kind(std::vector{estimate(200, 100), estimate(100, 100)}), VerdictKind::faster);
  EXPECT_EQ(overall_kind(std::vector<Estimate>{}), VerdictKind::same);
}

TEST(Estimates, SayThatTheyAreEstimates) {
  EXPECT_EQ(describe_estimates({estimate(200, 100)}),
            "llama estimated faster 2.00x (200 us -> 100 us, bound by dram; 264 of 8192 blocks run)");
  EXPECT_NE(describe_estimates({estimate(110, 100)}).find("1.10x, a tie"), std::string::npos);
}

}  // namespace
}  // namespace cupilot
