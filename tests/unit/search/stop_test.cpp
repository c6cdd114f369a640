// SPDX-License-Identifier: Apache-2.0
//
// Why a search ends: budgets, the goal, Ctrl-C.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/search/evaluator.h"
#include "evolution/search/search.h"
#include "tests/unit/search/landscape.h"

namespace cupilot {
using namespace model;
using namespace search;
namespace {

TEST(Stop, TheCandidateBudgetIsKeptAndTheBestConfirmed) {
  for (const std::size_t limit : {1u, 3u, 7u, 20u}) {
    Playground ground(hilly_rules(), hills);
    ground.settings.budget.candidates = limit;
    const auto outcome = ground.run().value();
    EXPECT_EQ(outcome.stopped_because, "candidate budget spent");
    EXPECT_LE(outcome.judged, limit + 1) << "the confirmation is outside";
    EXPECT_TRUE(outcome.winner);
  }
}

TEST(Stop, TheCandidateBudgetCountsResumedOnes) {
  Playground ground(hilly_rules(), hills);
  ground.settings.budget.candidates = 5;
  const auto first = ground.run().value();
  const auto second = ground.run().value();
  EXPECT_EQ(second.judged, 0u);
  EXPECT_EQ(second.resumed, first.judged);
  EXPECT_EQ(second.winner->individual.variant, first.winner->individual.variant);
}

TEST(Stop, TheWallBudgetIsKept) {
  for (const int seconds : {1, 6, 15, 30}) {
    Playground ground(hilly_rules(), hills);
    ground.settings.budget.wall = std::chrono::seconds(seconds);
    const auto outcome = ground.run().value();
    EXPECT_EQ(outcome.stopped_because, "time budget spent");
    // The first batch's length is not known beforehand; after it, one candidate more than fits.
    EXPECT_LE(outcome.elapsed, std::chrono::seconds(std::max(seconds, 4) + 2)) << seconds;
    EXPECT_TRUE(outcome.winner);
  }
}

TEST(Stop, WhatABatchTakesToStartIsNoCandidatesTime) {
  Playground ground(
      {{"block-size", 1.1,
        "constexpr int kThreads = 256;  // knob: 32 64 96 128 160 192 224 256 288 320 352 384"}},
      [](const Point &point) { return speed(1 + 0.001 * point.knob("kThreads", 0)); });
  ground.judge.start = std::chrono::seconds(10);
  ground.settings.budget.wall = std::chrono::seconds(50);
  const auto outcome = ground.run().value();
  // Without a second verdict in a batch, a half of the time until the first is taken for the candidate's.
  EXPECT_THAT(ground.judge.batch_sizes, testing::ElementsAre(1, 6, 5, 1));
  EXPECT_EQ(outcome.stopped_because, "nothing left to try");
}

TEST(Stop, TheGpuTimeBudgetIsKeptAndCountsResumedVerdicts) {
  for (const int seconds : {1, 8, 20}) {
    Playground ground(hilly_rules(), hills);
    ground.judge.gpu_seconds = 2;
    ground.settings.budget.gpu = std::chrono::seconds(seconds);
    const auto first = ground.run().value();
    EXPECT_EQ(first.stopped_because, "GPU time budget spent");
    EXPECT_TRUE(first.winner);
    // The first batch's length is not known beforehand; the confirmation is outside.
    EXPECT_LE(2 * first.judged, static_cast<std::size_t>(std::max(seconds, 8) + 4)) << seconds;
    const auto second = ground.run().value();
    EXPECT_EQ(second.judged, 0u);
    EXPECT_EQ(second.winner->individual.variant, first.winner->individual.variant);
  }
}

/// The landscape's figures, at this share of copy bandwidth.
FakeJudge::Landscape at_share(double share) {
  return [share](const Point &point) {
    Terrain terrain = hills(point);
    terrain.bandwidth_share = share;
    return terrain;
  };
}

TEST(Stop, TheRoofIsWhatTheFurthestWorkloadIsFrom) {
  Verdict verdict;
  EXPECT_EQ(roof_share(verdict), 0) << "nothing was timed";
  verdict.measurements = {{.workload = "a", .bandwidth_share = 0.9},
                          {.workload = "b", .bandwidth_share = 0.3},
                          {.workload = "unseen", .holdout = true, .bandwidth_share = 0.1}};
  EXPECT_EQ(roof_share(verdict), 0.3);
  verdict.profiles = {{.workload = "b", .compute_share = 0.7}, {.workload = "a", .compute_share = 0.2}};
  EXPECT_EQ(roof_share(verdict), 0.7) << "the compute peak is nearer there";
}

TEST(Stop, RulesGoOnWhereModelsHaveNothingLeftToGain) {
  Playground ground(hilly_rules(), at_share(0.92));
  EXPECT_EQ(ground.run()->stopped_because, "nothing left to try");
}

TEST(Stop, RunningAgainGoesOnWhereTheTimeEnded) {
  Playground ground(hilly_rules(), hills), unlimited(hilly_rules(), hills);
  ground.settings.budget.wall = std::chrono::seconds(6);
  int runs = 0;
  for (std::string why = "time budget spent"; why == "time budget spent"; ++runs) {
    ASSERT_LT(runs, 20);
    why = ground.run()->stopped_because;
  }
  EXPECT_GT(runs, 3);
  // A run that ended early confirmed its own best; other than that nothing is judged twice or differently.
  EXPECT_EQ(ground.most_often_judged(), 1);
  EXPECT_EQ(ground.run()->winner->individual.variant, unlimited.run()->winner->individual.variant);
}

TEST(Stop, AtCopyBandwidthNothingIsLeftToGain) {
  Playground ground(hilly_rules(), [](const Point &) {
    Terrain terrain = speed(1.5);
    terrain.bandwidth_share = 0.975;
    return terrain;
  });
  const auto outcome = ground.run().value();
  EXPECT_THAT(outcome.stopped_because, testing::HasSubstr("copy bandwidth"));
  EXPECT_TRUE(outcome.winner);
  EXPECT_EQ(outcome.judged, 5u) << "four singles and the confirmation";
}

TEST(Stop, InterruptedReportsTheBestSoFarAndGoesOnLater) {
  Playground ground(hilly_rules(), hills);
  ground.judge.after_verdict = [&](int verdicts) { ground.stop = verdicts == 9; };
  const auto stopped = ground.run().value();
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_EQ(stopped.stopped_because, "interrupted");
  EXPECT_EQ(stopped.judged, 9u);
  EXPECT_TRUE(stopped.best);
  EXPECT_FALSE(stopped.winner);
  ground.stop = false;
  ground.judge.after_verdict = nullptr;
  const auto outcome = ground.run().value();
  EXPECT_EQ(outcome.resumed, 9u);
  EXPECT_TRUE(outcome.winner);
  EXPECT_EQ(ground.most_often_judged(), 1);
}

TEST(Stop, AnExecutorThatTurnsTheStopIntoAnErrorIsNoError) {
  Playground ground(hilly_rules(), hills);
  ground.judge.die_at = 6;
  ground.judge.after_verdict = [&](int verdicts) { ground.stop = verdicts == 6; };
  const auto outcome = ground.run();
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->interrupted);
  EXPECT_EQ(outcome->judged, 6u);
}

TEST(Stop, StoppedBeforeTheFirstVerdict) {
  Playground ground(hilly_rules(), hills);
  ground.stop = true;
  const auto outcome = ground.run().value();
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_EQ(ground.judge.verdicts, 0);
}

}  // namespace
}  // namespace cupilot
