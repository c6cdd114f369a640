// SPDX-License-Identifier: Apache-2.0
//
// The decision on simulated machines: how often it is wrong, and what it still sees.
#include "evolution/judge/time/sampling.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "simulated_machine.h"

namespace cupilot {
using namespace judge::time;
namespace {

constexpr int kTrials = 100;

TEST(Sampling, FalseVerdictsAndPower) {
  std::printf("%-30s %8s | faster slower same unsure of %d, samples\n", "machine", "ratio", kTrials);
  for (const SimulatedMachine &machine : simulated_machines())
    for (const double ratio : {1.0, 1.002, 1.01, 1.03}) {
      const VerdictCounts counts = simulate_many(machine, ratio, kTrials);
      std::printf("%-30s %8.3f | %6d %6d %4d %6d, %.0f\n", machine.name.c_str(), ratio, counts.faster,
                  counts.slower, counts.same, counts.unsure, counts.samples);
      if (ratio < 1.005) {
        EXPECT_EQ(counts.faster, 0) << machine.name << " at " << ratio;
      }
      EXPECT_EQ(counts.slower, 0) << machine.name << " at " << ratio;
      if (ratio == 1.0) {
        EXPECT_GE(counts.same, kTrials * 99 / 100) << machine.name;
      }
      if (ratio == 1.03) {
        EXPECT_GE(counts.faster, kTrials * 95 / 100) << machine.name;
      }
    }
}

TEST(Sampling, SeesOnePercentOnAQuietMachineSoon) {
  const VerdictCounts counts = simulate_many(simulated_machines()[0], 1.01, kTrials);
  EXPECT_GE(counts.faster, kTrials * 95 / 100);
  EXPECT_LE(counts.samples, 100);
}

TEST(Sampling, PutsThrottledPairsAsideWithTheirNumbers) {
  Sampling sampling({2, 0.005, 2000});
  for (int i = 0; i < 12; ++i) sampling.add({10, 2000}, {9, i % 4 == 0 ? 1000. : 2000.});
  EXPECT_EQ(sampling.original().samples_us.size(), 9u);
  ASSERT_EQ(sampling.candidate().dropped.size(), 3u);
  EXPECT_EQ(sampling.original().dropped.size(), 3u) << "a pair stays a pair";
  EXPECT_EQ(sampling.candidate().dropped[0].reason, "sm clock of the pair 1000 MHz, 50 % of the rated one");
}

TEST(Sampling, ADeviceThatIsAlwaysSlowIsMeasuredAllTheSame) {
  Sampling sampling({2, 0.005, 2000});
  int pairs = 0;
  while (!sampling.enough(pairs * 1e-3)) sampling.add({10, 1000}, {9, 1000}), ++pairs;
  EXPECT_GE(sampling.original().samples_us.size(), kLeastSamples);
  EXPECT_NE(sampling.stopped_because().find("throttled samples kept"), std::string::npos);
  EXPECT_LT(pairs, 100);
}

TEST(Sampling, EndsAtTheCapAndSaysSo) {
  Sampling slow({2, 0.005, 0});
  int pairs = 0;
  while (!slow.enough(pairs * 1.0)) slow.add({1e6, 0}, {1e6, 0}), ++pairs;
  EXPECT_EQ(pairs, 6) << "three caps, too few samples";
  EXPECT_EQ(slow.stopped_because(), "time cap 6 s, too few samples");

  std::mt19937_64 random(1);
  Sampling noisy({0.5, 0.005, 0});
  for (pairs = 0; !noisy.enough(pairs * 1e-2); ++pairs)
    noisy.add({10 + 5 * uniform(random), 0}, {9 + 5 * uniform(random), 0});
  EXPECT_EQ(noisy.stopped_because().substr(0, 14), "time cap 0.5 s") << noisy.stopped_because();
}

}  // namespace
}  // namespace cupilot
