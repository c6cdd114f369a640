// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/retrieval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/unit/strategy/strategies.h"

namespace cupilot {
using namespace model;
using namespace spec;
using namespace strategy;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

std::vector<std::string> ids(const std::vector<Strategy> &strategies) {
  return ids_of(strategies, [](const Strategy &one) { return one.id; });
}
std::vector<std::string> ids(const std::vector<RetrievedStrategy> &strategies) {
  return ids_of(strategies, [](const RetrievedStrategy &one) { return one.strategy.id; });
}

StrategyPool pool_of(std::vector<Strategy> strategies) {
  return StrategyPool::of(std::move(strategies)).value();
}

const StrategyPool kPool =
    pool_of({make_strategy("memory", 1.5, "memory-bound"), make_strategy("compute", 1.4, "compute-bound"),
             make_strategy("model", 3, "memory-bound", ""), make_strategy("small", 1.1, "memory-bound")});

/// Two equal strategies: what the history says decides.
const StrategyPool kTwins =
    pool_of({make_strategy("one", 1.5, "memory-bound"), make_strategy("two", 1.5, "memory-bound")});
RetrievalQuery with(const std::vector<StrategyOutcome> &history) {
  return {
      .roofline_class = "memory-bound", .features = {"loop"}, .architecture = "sm_90", .history = history};
}

const RetrievedStrategy &find(const std::vector<RetrievedStrategy> &ranked, const std::string &id) {
  return *std::ranges::find_if(ranked, [&](const auto &one) { return one.strategy.id == id; });
}

TEST(Retrieval, GreatestExpectedGainFirst) {
  EXPECT_THAT(ids(retrieve(kPool, {})), ElementsAre("model", "memory", "compute", "small"));
}

TEST(Retrieval, TheClassRanksAndDropsNothing) {
  EXPECT_THAT(ids(retrieve(kPool, {.roofline_class = "compute-bound"})),
              ElementsAre("model", "compute", "memory", "small"));
}

TEST(Retrieval, OnlyRulesOnRequest) {
  EXPECT_THAT(ids(retrieve(kPool, {.only_rules = true})), ElementsAre("memory", "compute", "small"));
}

TEST(Retrieval, AMissingFeatureCosts) {
  auto needs = make_strategy("needs", 1.5, "memory-bound");
  needs.features = {"loop"};
  const auto pool = pool_of({needs, make_strategy("plain", 1.4, "memory-bound")});
  EXPECT_THAT(ids(retrieve(pool, {.features = {"loop"}})), ElementsAre("needs", "plain"));
  EXPECT_THAT(ids(retrieve(pool, {.features = {}})), ElementsAre("plain", "needs"));
}

TEST(Retrieval, AMissingPatternCostsMore) {
  auto product = make_strategy("product", 3, "memory-bound");
  product.features = {"matmul"};
  const auto pool = pool_of({product, make_strategy("plain", 1.3, "memory-bound")});
  EXPECT_THAT(ids(retrieve(pool, {.features = {"matmul"}})), ElementsAre("product", "plain"));
  EXPECT_THAT(ids(retrieve(pool, {.features = {"loop"}})), ElementsAre("plain", "product"));
}

TEST(Retrieval, WithoutHistoryTheRecordsGainIsExpected) {
  for (const auto &one : rank_strategies(kTwins, with({}))) {
    EXPECT_DOUBLE_EQ(one.expected_gain, 1.5);
    EXPECT_DOUBLE_EQ(one.chance, 0.5);
  }
}

TEST(Retrieval, ArchitectureAndClauseExclude) {
  auto hopper = make_strategy("hopper", 9, "memory-bound");
  hopper.architectures = {"sm_90+"};
  auto half = make_strategy("half", 9, "memory-bound");
  half.preconditions = {"the clause precision(half|bf16)"};
  const auto pool = pool_of({hopper, half, make_strategy("plain", 1.1, "memory-bound")});
  EXPECT_THAT(ids(retrieve(pool, {.architecture = "sm_80"})), ElementsAre("plain"));
  EXPECT_THAT(ids(retrieve(pool, {.architecture = "sm_90a"})), ElementsAre("hopper", "plain"));
  EXPECT_THAT(ids(retrieve(pool, {.architecture = "sm_80", .precision = PrecisionKind::bf16})),
              ElementsAre("half", "plain"));
}

TEST(Retrieval, AWinGoesUp) {
  const std::vector history{outcome("two", VerdictKind::faster, 1.5)};
  const auto ranked = rank_strategies(kTwins, with(history));
  EXPECT_THAT(ids(ranked), ElementsAre("two", "one"));
  EXPECT_DOUBLE_EQ(ranked[0].chance, 2.0 / 3);
  EXPECT_NEAR(ranked[0].expected_gain, 1 + 0.5 * (2.0 / 3) / 0.5, 1e-12);
  EXPECT_EQ(ranked[0].why, "two: 1 win of 1 on sm_90, median 1.50x");
  EXPECT_EQ(ranked[1].why, "one: no history, typically 1.5x");
}

TEST(Retrieval, AFailureGoesDownByItsChance) {
  for (const auto kind : {VerdictKind::build_failed, VerdictKind::wrong, VerdictKind::rejected,
                          VerdictKind::crashed, VerdictKind::timed_out}) {
    const std::vector history{outcome("one", kind)};
    const auto ranked = rank_strategies(kTwins, with(history));
    EXPECT_THAT(ids(ranked), ElementsAre("two", "one"));
    EXPECT_DOUBLE_EQ(ranked[1].chance, 1.0 / 3);
    EXPECT_NEAR(ranked[1].expected_gain, 1 + 0.5 * (1.0 / 3) / 0.5, 1e-12);
  }
  auto refused = outcome("one", VerdictKind::not_evaluated);
  refused.refused = true;
  const std::vector history{refused};
  EXPECT_EQ(rank_strategies(kTwins, with(history))[1].why,
            "one: 0 wins of 1 on sm_90; failed once (refused)");
}

TEST(Retrieval, SlowerLowersTheGainAndNotTheChance) {
  const std::vector history{outcome("one", VerdictKind::slower, 0.5)};
  const auto ranked = rank_strategies(kTwins, with(history));
  EXPECT_THAT(ids(ranked), ElementsAre("two", "one"));
  EXPECT_DOUBLE_EQ(ranked[1].chance, 2.0 / 3);
  const double gain = std::exp((2 * std::log(1.5) + std::log(0.5)) / 3);
  EXPECT_NEAR(ranked[1].expected_gain, 1 + (gain - 1) * (2.0 / 3) / 0.5, 1e-12);
}

TEST(Retrieval, WhatMakesSlowerDoesNotGainByFailing) {
  std::vector<StrategyOutcome> history(8, outcome("one", VerdictKind::slower, 0.25));
  const double before = find(rank_strategies(kTwins, with(history)), "one").expected_gain;
  EXPECT_LT(before, 1);
  history.push_back(outcome("one", VerdictKind::wrong));
  EXPECT_DOUBLE_EQ(find(rank_strategies(kTwins, with(history)), "one").expected_gain, before);
}

TEST(Retrieval, ElsewhereAndEstimatesCountLess) {
  const auto gain_after = [](const StrategyOutcome &one) {
    const std::vector history{one};
    return find(rank_strategies(kTwins, with(history)), "one").expected_gain;
  };
  const auto failure = outcome("one", VerdictKind::wrong);
  auto far = failure, estimate = failure, other_class = failure, unlike = failure;
  far.architecture = "sm_80";
  estimate.estimated = true;
  other_class.roofline_class = "compute-bound";
  unlike.features = {"atomic"};
  for (const auto &less : {far, estimate, other_class, unlike}) {
    EXPECT_GT(gain_after(less), gain_after(failure));
    EXPECT_LT(gain_after(less), 1.5);
  }
  // A failure here against one there: the strategy that failed elsewhere comes first.
  auto there = failure;
  there.strategy = "two", there.architecture = "sm_80";
  const std::vector history{failure, there};
  EXPECT_THAT(ids(rank_strategies(kTwins, with(history))), ElementsAre("two", "one"));
}

TEST(Retrieval, TheVeryKernelCountsDouble) {
  const std::vector history{outcome("one", VerdictKind::wrong)};
  auto query = with(history);
  query.kernel_id = "k";
  EXPECT_DOUBLE_EQ(rank_strategies(kTwins, query)[1].chance, 1.0 / (1 + 1 + 2));
}

TEST(Retrieval, SaysWhatDoesNotFit) {
  auto needs = make_strategy("needs", 1.5, "compute-bound");
  needs.features = {"loop", "matmul"};
  EXPECT_EQ(rank_strategies(pool_of({needs}), with({}))[0].why,
            "needs: no history, typically 1.5x; made for compute-bound kernels; this kernel shows no matmul");
}

TEST(Retrieval, DeterministicAndTheSeedDecidesAmongEquals) {
  std::vector<Strategy> equal;
  for (const char *id : {"a", "b", "c", "d", "e", "f"})
    equal.push_back(make_strategy(id, 1.2, "memory-bound"));
  equal.push_back(make_strategy("z", 1.3, "memory-bound"));
  const auto pool = pool_of(equal);
  EXPECT_THAT(ids(rank_strategies(pool, {})), ElementsAre("z", "a", "b", "c", "d", "e", "f"));
  const auto seeded = ids(rank_strategies(pool, {.seed = 1}));
  EXPECT_EQ(seeded[0], "z");
  EXPECT_NE(seeded, ids(rank_strategies(pool, {.seed = 2})));
  EXPECT_EQ(seeded, ids(rank_strategies(pool, {.seed = 1})));
  std::ranges::reverse(equal);
  EXPECT_EQ(seeded, ids(rank_strategies(pool_of(equal), {.seed = 1})));
}

Strategy told(Strategy one, const std::string &title, const std::string &step) {
  one.title = title;
  one.steps = {step};
  return one;
}

TEST(Selection, PassesOverNearDuplicates) {
  const auto pool = pool_of({told(make_strategy("vector", 1.5, "memory-bound"), "wide loads",
                                  "load float4 groups aligned to sixteen bytes"),
                             told(make_strategy("vector-again", 1.49, "memory-bound"), "wide loads",
                                  "load float4 groups aligned to sixteen"),
                             told(make_strategy("stream", 1.3, "memory-bound"), "streaming stores",
                                  "write with st.global.cs what is not read again")});
  EXPECT_THAT(ids(select_strategies(rank_strategies(pool, {}), 2)), ElementsAre("vector", "stream"));
  EXPECT_THAT(ids(select_strategies(rank_strategies(pool, {}), 9)),
              ElementsAre("vector", "stream", "vector-again"));
}

TEST(Selection, OneFamilyDoesNotFillThePopulation) {
  auto a = make_strategy("a", 3, "compute-bound"), b = make_strategy("b", 2.8, "compute-bound"),
       c = make_strategy("c", 2.6, "compute-bound"), d = make_strategy("d", 1.6, "compute-bound");
  a.conflicts = {"b", "c"}, c.conflicts = {"b"};  // one side is enough
  const auto ranked = rank_strategies(pool_of({a, b, c, d}), {});
  EXPECT_THAT(ids(ranked), ElementsAre("a", "b", "c", "d"));
  // After a: b 1.8 * 0.3 = 0.54, c 0.48, d 0.6; after d: b; c is in conflict with both.
  EXPECT_THAT(ids(select_strategies(ranked, 3)), ElementsAre("a", "d", "b"));
  EXPECT_THAT(ids(select_strategies(ranked, 2)), ElementsAre("a", "d"));
}

TEST(FirstPopulation, HalfRetrievedThreeTenthsMenuTheRestBrainstormed) {
  std::vector<Strategy> many;
  for (char c = 'a'; c <= 'z'; ++c)
    many.push_back(make_strategy(std::string(1, c), 1.1 + 0.01 * (c - 'a'), "memory-bound"));
  const auto pool = pool_of(many);
  const struct {
    std::size_t size, retrieved, menu, brainstormed;
  } cases[] = {{0, 0, 0, 0}, {1, 1, 0, 0},  {2, 1, 1, 0}, {5, 3, 1, 1},
               {8, 4, 2, 2}, {10, 5, 3, 2}, {12, 6, 4, 2}};
  for (const auto &one : cases) {
    const auto population = first_population(pool, {.roofline_class = "memory-bound"}, one.size);
    EXPECT_EQ(population.retrieved.size(), one.retrieved) << one.size;
    EXPECT_EQ(population.menu.size(), one.menu) << one.size;
    EXPECT_EQ(population.brainstormed, one.brainstormed) << one.size;
  }
}

TEST(FirstPopulation, TheMenuIsOfTheClassAndOfNothingTaken) {
  const auto population = first_population(kPool, {.roofline_class = "memory-bound"}, 10);
  EXPECT_THAT(ids(population.retrieved), UnorderedElementsAre("model", "memory", "compute", "small"));
  EXPECT_TRUE(population.menu.empty());
  EXPECT_EQ(population.brainstormed, 6u);
  const auto smaller = first_population(kPool, {.roofline_class = "compute-bound"}, 2);
  EXPECT_THAT(ids(smaller.retrieved), ElementsAre("model"));
  EXPECT_THAT(ids(smaller.menu), ElementsAre("compute"));
  EXPECT_THAT(smaller.menu[0].why, HasSubstr("from the menu of compute-bound kernels"));
}

TEST(FirstPopulation, TheMenuHasNoPatternTheKernelLacks) {
  auto scan = make_strategy("scan", 2, "memory-bound"), loop = make_strategy("loop", 2, "memory-bound");
  scan.features = {"scan"}, loop.features = {"loop"};
  const auto pool = pool_of({make_strategy("taken", 9, "memory-bound"), scan, loop});
  EXPECT_THAT(ids(first_population(pool, {.roofline_class = "memory-bound"}, 3).menu), ElementsAre("loop"));
  const RetrievalQuery scans{.roofline_class = "memory-bound", .features = {"scan"}};
  EXPECT_THAT(ids(first_population(pool, scans, 10).retrieved),
              UnorderedElementsAre("taken", "scan", "loop"));
}

TEST(FirstPopulation, TheMenuForgetsTheHistory) {
  const auto pool =
      pool_of({make_strategy("taken", 9, "memory-bound"), make_strategy("a", 1.5, "memory-bound"),
               make_strategy("b", 1.5, "memory-bound")});
  const std::vector<StrategyOutcome> history(20, outcome("a", VerdictKind::wrong));
  std::size_t failed_before = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    auto query = with(history);
    query.seed = seed;
    const auto menu = first_population(pool, query, 2).menu;
    EXPECT_EQ(menu.at(0).expected_gain, 1.5);
    EXPECT_THAT(menu.at(0).why, HasSubstr("no history"));
    failed_before += menu.at(0).strategy.id == "a";
  }
  EXPECT_GT(failed_before, 10u);
}

TEST(FirstPopulation, TheSeedDrawsTheMenuAndPromiseCounts) {
  std::vector<Strategy> many{make_strategy("taken", 9, "memory-bound")};
  for (char c = 'a'; c <= 'e'; ++c) many.push_back(make_strategy(std::string(1, c), 1.1, "memory-bound"));
  many.push_back(make_strategy("promising", 2, "memory-bound"));
  const auto pool = pool_of(many);
  std::size_t promising = 0;
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RetrievalQuery query{.roofline_class = "memory-bound", .seed = seed};
    const auto drawn = ids(first_population(pool, query, 2).menu);
    EXPECT_EQ(drawn, ids(first_population(pool, query, 2).menu));
    seen.insert(drawn.at(0));
    promising += drawn.at(0) == "promising";
  }
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_NEAR(static_cast<double>(promising), 200 * 1.0 / 1.5, 30);
}

}  // namespace
}  // namespace cupilot
