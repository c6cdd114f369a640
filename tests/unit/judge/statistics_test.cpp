// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cupilot {
namespace {

SampleSet set_of(std::vector<double> samples) {
  SampleSet set;
  set.samples_us = std::move(samples);
  summarise(set);
  return set;
}
SampleSet around(double centre, double spread) {
  std::vector<double> samples;
  for (int i = 0; i < 12; ++i) samples.push_back(centre + spread * (i - 6) / 6);
  return set_of(samples);
}

TEST(Statistics, QuantilesLieBetweenRanks) {
  const auto set = set_of({4, 1, 3, 2});
  EXPECT_DOUBLE_EQ(set.min_us, 1);
  EXPECT_DOUBLE_EQ(set.q1_us, 1.75);
  EXPECT_DOUBLE_EQ(set.median_us, 2.5);
  EXPECT_DOUBLE_EQ(set.q3_us, 3.25);
  EXPECT_DOUBLE_EQ(set.mean_us, 2.5);
  EXPECT_NEAR(set.stdev_us, std::sqrt(5.0 / 3), 1e-12);
}

TEST(Statistics, OneSampleAndNone) {
  EXPECT_DOUBLE_EQ(set_of({7}).q3_us, 7);
  EXPECT_DOUBLE_EQ(set_of({}).median_us, 0);
  const std::vector<double> one{7};
  EXPECT_TRUE(std::isinf(relative_error(one)));
}

TEST(Statistics, RelativeErrorShrinksWithSamples) {
  const std::vector<double> four{9, 11, 9, 11};
  EXPECT_NEAR(relative_error(four), std::sqrt(4.0 / 3) / 2 / 10, 1e-12);
}

TEST(CompareTimes, DisjointIntervalsDecide) {
  EXPECT_EQ(compare_times(around(100, 1), around(50, 1)), VerdictKind::faster);
  EXPECT_EQ(compare_times(around(50, 1), around(100, 1)), VerdictKind::slower);
}

TEST(CompareTimes, NearIsSameAndWideIsUnsure) {
  EXPECT_EQ(compare_times(around(100, 0.5), around(100.2, 0.5)), VerdictKind::same);
  EXPECT_EQ(compare_times(around(100, 20), around(90, 20)), VerdictKind::unsure);
}

TEST(CompareTimes, GapBelowHalfPercentIsNotFaster) {
  EXPECT_NE(compare_times(around(100, 0.01), around(99.7, 0.01)), VerdictKind::faster);
}

TEST(CompareTimes, FewSamplesAreUnsure) {
  EXPECT_EQ(compare_times(set_of({10, 10, 10}), set_of({1, 1, 1})), VerdictKind::unsure);
}

TEST(JudgeTimes, BoundsUseTheIntervals) {
  Measurement m;
  m.original = around(100, 6);
  m.candidate = around(50, 3);
  judge_times(m);
  EXPECT_NEAR(m.speedup, 2, 0.02);
  EXPECT_DOUBLE_EQ(m.speedup_low, m.original.min_us / m.candidate.q3_us);
  EXPECT_DOUBLE_EQ(m.speedup_high, m.original.q3_us / m.candidate.min_us);
}

TEST(OverallKind, OneSlowerWorkloadSpoilsIt) {
  Measurement faster, slower, same, unsure;
  faster.verdict = VerdictKind::faster;
  slower.verdict = VerdictKind::slower;
  same.verdict = VerdictKind::same;
  unsure.verdict = VerdictKind::unsure;
  EXPECT_EQ(overall_kind({faster, same}), VerdictKind::faster);
  EXPECT_EQ(overall_kind({faster, slower}), VerdictKind::slower);
  EXPECT_EQ(overall_kind({same, unsure}), VerdictKind::unsure);
  EXPECT_EQ(overall_kind({}), VerdictKind::same);
}

TEST(Floor, WrittenBytesMayStayInTheCache) {
  EXPECT_DOUBLE_EQ(floor_microseconds(1e6, 1e6, 60e6, 4000), 0);
  const double floor = floor_microseconds(128e6, 128e6, 60e6, 4000);
  EXPECT_NEAR(floor, (128e6 + 68e6) / (4000 * kBandwidthSlack * 1e3), 1e-9);
}

}  // namespace
}  // namespace cupilot
