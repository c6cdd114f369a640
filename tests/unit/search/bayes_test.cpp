// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/bayes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "evolution/search/gaussian_process.h"

namespace cupilot {
using namespace model;
using namespace search;
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

std::vector<Knob> two_knobs() {
  return {{"kThreads", {32, 64, 128, 256, 512}, 128}, {"kItems", {1, 2, 4, 8, 16}, 1}};
}

/// A bowl over the exponents with its top at kThreads = 256, kItems = 2.
double bowl(const KnobValues &at) {
  const double x = std::log2(static_cast<double>(at[0])) - 8, y = std::log2(static_cast<double>(at[1])) - 1;
  return 2 - 0.1 * (x * x + y * y);
}

TEST(GaussianProcess, GoesThroughWhatItKnowsAndDoubtsWhatItDoesNot) {
  const auto process = GaussianProcess::fit({{0.0}, {0.5}, {1.0}}, {1, 3, 2}, 0.3, 1e-6);
  ASSERT_TRUE(process);
  EXPECT_NEAR(process->at({0.5}).mean, 3, 1e-3);
  EXPECT_LT(process->at({0.5}).deviation, 0.01);
  EXPECT_GT(process->at({0.25}).deviation, 0.1);
  EXPECT_NEAR(process->at({100.0}).mean, 2, 1e-6) << "far away: the mean of what is known";
}

TEST(GaussianProcess, AgreesWithTheInverseOfATwoByTwoMatrix) {
  // Kernel matrix ((1 + s, k), (k, 1 + s)); values -1 and 1 are standardised already.
  const double k = matern(0.5, 1.0), noise = 0.1;
  const auto process = GaussianProcess::fit({{0.0}, {0.5}}, {-1, 1}, 1.0, noise);
  const double determinant = (1 + noise) * (1 + noise) - k * k;
  const double weight = (1 + noise + k) / determinant;           // of the second; the first has the opposite
  const double near = matern(0.2, 1.0), far = matern(0.3, 1.0);  // to 0.2
  EXPECT_NEAR(process->at({0.2}).mean, weight * (far - near), 1e-12);
  const double explained = ((1 + noise) * (near * near + far * far) - 2 * k * near * far) / determinant;
  EXPECT_NEAR(process->at({0.2}).deviation, std::sqrt(1 - explained), 1e-12);
  const double fit = 2 * weight;
  EXPECT_NEAR(process->log_likelihood(),
              -0.5 * fit - 0.5 * std::log(determinant) - std::log(2 * 3.14159265358979), 1e-9);
}

TEST(GaussianProcess, MaternFiveHalves) {
  EXPECT_EQ(matern(0, 0.3), 1);
  EXPECT_NEAR(matern(1, 1), (1 + std::sqrt(5.0) + 5.0 / 3) * std::exp(-std::sqrt(5.0)), 1e-12);
  EXPECT_GT(matern(0.1, 1), matern(0.2, 1));
}

TEST(GaussianProcess, TwoValuesAtOnePlaceAreNoise) {
  const auto process = GaussianProcess::fit({{0.5}, {0.5}, {0.0}}, {1, 1.2, 1});
  ASSERT_TRUE(process);
  EXPECT_NEAR(process->at({0.5}).mean, 1.1, 0.05);
}

TEST(GaussianProcess, NothingIsNoProcess) {
  EXPECT_FALSE(GaussianProcess::fit({}, {}));
}

TEST(ExpectedImprovement, OfACertainOneIsTheDifference) {
  EXPECT_DOUBLE_EQ(expected_improvement({.mean = 3, .deviation = 0}, 2), 1);
  EXPECT_DOUBLE_EQ(expected_improvement({.mean = 1, .deviation = 0}, 2), 0);
  // Of an even chance: the deviation over the square root of two pi.
  EXPECT_NEAR(expected_improvement({.mean = 2, .deviation = 1}, 2), 0.3989422804, 1e-9);
}

TEST(Axis, PowersOfTwoLieByTheirLogarithm) {
  EXPECT_THAT(axis_of({"k", {32, 64, 256, 512}, 32}),
              Pointwise(DoubleNear(1e-12), std::vector<double>{0, 0.25, 0.75, 1}));
  EXPECT_THAT(axis_of({"k", {3, 5, 100}, 3}), ElementsAre(0, 0.5, 1)) << "else in the order declared";
  EXPECT_THAT(axis_of({"k", {7}, 7}), ElementsAre(0));
}

/// Proposes one point at a time and tells it the truth, until it finds `top` or has had `most`.
int tries_to_find(KnobExplorer explorer, const std::function<double(const KnobValues &)> &truth,
                  const KnobValues &top, int most) {
  for (int tries = 1; tries <= most; ++tries) {
    const auto proposals = explorer.propose(1, 0);
    if (proposals.empty()) break;
    if (proposals.front() == top) return tries;
    explorer.observe(proposals.front(), truth(proposals.front()));
  }
  return most + 1;
}

TEST(KnobExplorer, FindsTheTopOfABowl) {
  KnobExplorer explorer(two_knobs());
  EXPECT_EQ(explorer.size(), 25u);
  for (const KnobValues &known : std::vector<KnobValues>{{128, 1}, {128, 16}, {32, 1}, {512, 8}})
    explorer.observe(known, bowl(known));
  EXPECT_LE(tries_to_find(explorer, bowl, {256, 2}, 8), 8);
}

TEST(KnobExplorer, TheNextPointIsTheKnownBestOfASmallQuadratic) {
  KnobExplorer explorer({{"kItems", {1, 2, 4, 8, 16}, 1}});
  for (const long long value : {1, 2, 8, 16}) {
    const double x = std::log2(static_cast<double>(value)) - 2;
    explorer.observe({value}, 2 - 0.2 * x * x);
  }
  EXPECT_THAT(explorer.propose(1, 0), ElementsAre(KnobValues{4}));
}

TEST(KnobExplorer, NeverTheSamePointTwiceAndWhatFailedLeast) {
  const auto truth = [](const KnobValues &at) { return at[0] * at[1] > 1024 ? 0 : bowl(at); };
  KnobExplorer explorer(two_knobs());
  std::set<KnobValues> seen{{128, 1}, {512, 16}};
  for (const KnobValues &known : seen) explorer.observe(known, truth(known));
  while (true) {
    const auto proposals = explorer.propose(4, 0);
    if (proposals.empty()) break;
    for (const KnobValues &one : proposals) {
      EXPECT_TRUE(seen.insert(one).second) << one[0] << " " << one[1];
      explorer.observe(one, truth(one));
    }
  }
  EXPECT_TRUE(seen.contains({256, 2}));
  int failed = 0;
  for (const KnobValues &one : seen) failed += truth(one) == 0;
  EXPECT_LE(failed, 4) << "six points are infeasible; the edge is found without most of them";
}

TEST(KnobExplorer, WhatProbablyFailsIsRepairedToItsNearestNeighbour) {
  // The score grows with the knob, and everything from 64 on fails: the best that is left is 32.
  KnobExplorer explorer({{"kItems", {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}, 1}});
  for (const long long value : {1, 2, 4, 8, 16})
    explorer.observe({value}, std::log2(static_cast<double>(value)) + 1);
  for (const long long value : {64, 256, 1024}) explorer.observe({value}, 0);
  const auto proposals = explorer.propose(1, 0);
  EXPECT_THAT(proposals, ElementsAre(KnobValues{32}));
}

TEST(KnobExplorer, StopsWhereNothingIsToBeGained) {
  KnobExplorer explorer(two_knobs());
  explorer.observe({128, 1}, 1);
  EXPECT_TRUE(explorer.propose(4, 100).empty());
  KnobExplorer one({{"kItems", {4}, 4}});
  one.observe({4}, 1);
  EXPECT_TRUE(one.exhausted());
  EXPECT_TRUE(one.propose(1, 0).empty());
  KnobExplorer nothing_worked(two_knobs());
  nothing_worked.observe({128, 1}, 0);
  EXPECT_TRUE(nothing_worked.propose(1, 0).empty()) << "there is nothing to go by";
}

TEST(KnobExplorer, SpreadsAwayFromWhatIsKnown) {
  KnobExplorer explorer(two_knobs());
  for (const long long threads : {32, 64, 128, 256, 512}) explorer.observe({threads, 1}, 1);
  for (const long long items : {2, 4, 8, 16}) explorer.observe({32, items}, 1);
  const auto points = explorer.spread(2);
  EXPECT_THAT(points, ElementsAre(KnobValues{512, 16}, KnobValues{128, 4})) << "the corner, then the middle";
}

TEST(KnobExplorer, CopesWithASpaceTooLargeToLookAt) {
  std::vector<Knob> knobs;
  for (int i = 0; i < 12; ++i) knobs.push_back({"k" + std::to_string(i), {1, 2, 4, 8, 16}, 1});
  KnobExplorer explorer(knobs, 7);
  EXPECT_EQ(explorer.size(), 1'000'000u);
  explorer.observe(KnobValues(12, 1), 1);
  explorer.observe(KnobValues(12, 4), 2);
  const auto proposals = explorer.propose(4, 0);
  EXPECT_EQ(proposals.size(), 4u);
  EXPECT_EQ(proposals, explorer.propose(4, 0)) << "the same again from the same seed";
}

}  // namespace
}  // namespace cupilot
