// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/time/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "simulated_machine.h"

namespace cupilot {
using namespace judge::time;
using namespace model;
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

SampleSet random_set(double centre, double spread, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> samples;
  for (std::size_t i = 0; i < count; ++i)
    samples.push_back(centre * (1 + spread * std::abs(gaussian(random))));
  return set_of(samples);
}
VerdictKind mirrored(VerdictKind kind) {
  if (kind == VerdictKind::faster) return VerdictKind::slower;
  return kind == VerdictKind::slower ? VerdictKind::faster : kind;
}
SampleSet scaled(SampleSet set, double factor) {
  for (double &sample : set.samples_us) sample *= factor;
  summarise(set);
  return set;
}

TEST(CompareTimes, IsSymmetricAndDoesNotKnowUnits) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t count = 5 + static_cast<std::size_t>(200 * uniform(random));
    const double spread = 0.05 * uniform(random), ratio = 1 + 0.06 * (uniform(random) - 0.5);
    const SampleSet a = random_set(50, spread, count, seed),
                    b = random_set(50 * ratio, spread, count, seed + 1000);
    const VerdictKind kind = compare_times(a, b);
    EXPECT_EQ(compare_times(b, a), mirrored(kind)) << seed;
    EXPECT_EQ(compare_times(scaled(a, 1024), scaled(b, 1024)), kind) << seed;
    EXPECT_EQ(is_settled(a, b), is_settled(b, a)) << seed;
  }
}

TEST(CompareTimes, MoreOfTheSameSamplesNeverReverse) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const SampleSet few_a = random_set(50, 0.02, 30, seed), few_b = random_set(50.5, 0.02, 30, seed + 500);
    const SampleSet many_a = random_set(50, 0.02, 600, seed),
                    many_b = random_set(50.5, 0.02, 600, seed + 500);
    if (compare_times(few_a, few_b) == VerdictKind::slower) {
      EXPECT_NE(compare_times(many_a, many_b), VerdictKind::faster) << seed;
    }
    EXPECT_NE(compare_times(few_a, few_b), VerdictKind::faster) << seed;
  }
}

TEST(CompareTimes, ADifferenceOfTheClocksIsNone) {
  SampleSet original = random_set(100, 0.001, 40, 1), candidate = random_set(97, 0.001, 40, 2);
  EXPECT_EQ(compare_times(original, candidate), VerdictKind::faster);
  original.sm_clock_mhz.assign(40, 1700);
  candidate.sm_clock_mhz.assign(40, 1755);
  EXPECT_NE(compare_times(original, candidate), VerdictKind::faster) << "as many cycles";
  candidate.sm_clock_mhz.assign(40, 1690);
  EXPECT_EQ(compare_times(original, candidate), VerdictKind::faster);
}

TEST(CompareTimes, FastOnlyNowAndThenIsNotFaster) {
  std::vector<double> now_and_then;
  for (int i = 0; i < 60; ++i) now_and_then.push_back(i % 5 == 0 ? 200 : 90 + 0.01 * (i % 7));
  EXPECT_NE(compare_times(random_set(100, 0.001, 60, 3), set_of(now_and_then)), VerdictKind::faster)
      << "the mean is higher";
}

TEST(CompareTimes, BrokenSamplesAreUnsure) {
  std::vector<double> broken(20, 10.0);
  broken[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(compare_times(around(100, 1), set_of(broken)), VerdictKind::unsure);
  broken[3] = 0;
  EXPECT_EQ(compare_times(around(100, 1), set_of(broken)), VerdictKind::unsure);
}

TEST(Noise, WidensTheVerdict) {
  // The original disagrees with itself by 3 %: one half of its groups against the other.
  std::vector<double> torn;
  for (int i = 0; i < 10; ++i) torn.push_back(100 + (i % 2 ? 3.0 : 0) + 0.001 * i);
  Measurement m;
  m.original = set_of(torn);
  m.candidate = around(98, 0.1);
  judge_times(m);
  EXPECT_NEAR(m.noise, 0.03, 1e-3);
  EXPECT_NE(m.verdict, VerdictKind::faster) << "2 % apart, but the noise is 3 %";
  EXPECT_EQ(compare_times(around(100, 0.1), around(98, 0.1)), VerdictKind::faster);
}

Measurement measured(const std::string &workload, VerdictKind kind, double weight = 1) {
  Measurement m;
  m.workload = workload;
  m.verdict = kind;
  m.weight = weight;
  m.speedup = kind == VerdictKind::faster ? 2 : 1;
  m.speedup_low = m.speedup * 0.98;
  return m;
}

TEST(OverallKind, FasterSomewhereIsADispatch) {
  const auto faster = measured("a", VerdictKind::faster), slower = measured("b", VerdictKind::slower);
  const auto same = measured("c", VerdictKind::same), unsure = measured("d", VerdictKind::unsure);
  EXPECT_EQ(overall_kind({faster}), VerdictKind::faster);
  EXPECT_TRUE(dispatch_of({faster, faster}).empty()) << "everywhere";
  EXPECT_EQ(overall_kind({faster, slower, same, unsure}), VerdictKind::faster);
  EXPECT_EQ(dispatch_of({faster, slower, same}), std::vector<std::string>{"a"});
  EXPECT_EQ(overall_kind({slower, same, unsure}), VerdictKind::slower);
  EXPECT_EQ(overall_kind({same, unsure}), VerdictKind::unsure);
  EXPECT_EQ(overall_kind({same, same}), VerdictKind::same);
  EXPECT_EQ(overall_kind(std::vector<Measurement>{}), VerdictKind::same);
  EXPECT_TRUE(dispatch_of({slower, same}).empty());
}

TEST(OverallKind, WorkloadsWithoutWeightDoNotDecide) {
  const auto main = measured("main", VerdictKind::same), extra = measured("extra", VerdictKind::faster, 0);
  EXPECT_EQ(overall_kind({main, extra}), VerdictKind::same);
  const auto fast = measured("main", VerdictKind::faster);
  EXPECT_TRUE(dispatch_of({fast, measured("extra", VerdictKind::same, 0)}).empty());
  EXPECT_EQ(dispatch_of({fast, measured("extra", VerdictKind::slower, 0)}), std::vector<std::string>{"main"})
      << "nobody asked for speed there, but nobody wants it slower";
}

TEST(ConfirmsSpeedup, AsksTheLowerBoundWhereItIsUsed) {
  auto fast = measured("a", VerdictKind::faster);
  EXPECT_TRUE(confirms_speedup({fast}, 0.5));
  EXPECT_FALSE(confirms_speedup({fast}, 0.97)) << "1.96 is not above 1.97";
  EXPECT_TRUE(confirms_speedup({fast, measured("b", VerdictKind::slower)}, 0.005)) << "dispatched to a only";
  EXPECT_FALSE(confirms_speedup({measured("a", VerdictKind::same)}, 0));
  EXPECT_FALSE(confirms_speedup({}, 0));
}

TEST(DescribeTimes, SaysWhereAndWhy) {
  auto unsure = measured("tiny", VerdictKind::unsure);
  unsure.note = "too short";
  const std::string text = describe_times({measured("llama", VerdictKind::faster), unsure});
  EXPECT_NE(text.find("llama faster 2.00x"), std::string::npos) << text;
  EXPECT_NE(text.find("tiny unsure 1.00x (0.00 us -> 0.00 us): too short"), std::string::npos) << text;
  EXPECT_NE(text.find("to be used only on llama"), std::string::npos) << text;
}

TEST(Floor, WrittenBytesMayStayInTheCache) {
  EXPECT_DOUBLE_EQ(floor_microseconds(1e6, 1e6, 60e6, 4000), 0);
  const double floor = floor_microseconds(128e6, 128e6, 60e6, 4000);
  EXPECT_NEAR(floor, (128e6 + 68e6) / (4000 * kBandwidthSlack * 1e3), 1e-9);
}

}  // namespace
}  // namespace cupilot
