// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "annotate/support/files.h"
#include "evolution/strategy/retrieval.h"
#include "evolution/strategy/strategy_text.h"

namespace cupilot {
using namespace model;
using namespace spec;
using namespace strategy;
namespace {

using testing::HasSubstr;

TEST(Pool, ShipsTheFiveBuiltInRules) {
  const auto pool = StrategyPool::load(CUPILOT_POOL);
  ASSERT_TRUE(pool) << pool.error().message;
  for (const char *rule : {"block-size", "grid-stride", "wide-access", "warp-per-row", "pad-shared"}) {
    const Strategy *strategy = pool->find(rule);
    ASSERT_NE(strategy, nullptr) << rule;
    EXPECT_EQ(strategy->rule, rule);
    EXPECT_FALSE(strategy->preconditions.empty());
    EXPECT_GT(strategy->gain, 1);
  }
}

// What kernel_features can say: a feature nobody finds would only ever cost.
const std::set<std::string> kFeatures{"loop",
                                      "shared-memory",
                                      "barrier",
                                      "shuffle",
                                      "atomic",
                                      "division",
                                      "transcendental",
                                      "narrow-elements",
                                      "half",
                                      "float",
                                      "double",
                                      "integer",
                                      "one-dimensional",
                                      "two-dimensional",
                                      "row-wise",
                                      "strided",
                                      "elementwise",
                                      "reduction",
                                      "scan",
                                      "softmax",
                                      "normalisation",
                                      "matmul",
                                      "dot-product",
                                      "stencil",
                                      "window",
                                      "gather",
                                      "sparse",
                                      "triangular",
                                      "arg-reduction",
                                      "mixed-double",
                                      "narrow-integers",
                                      "column-wise"};

TEST(Pool, EveryRecordIsWhole) {
  const auto pool = StrategyPool::load(CUPILOT_POOL);
  ASSERT_TRUE(pool) << pool.error().message;
  EXPECT_GE(pool->strategies().size(), 60u);
  std::set<std::string> titles;
  for (const Strategy &one : pool->strategies()) {
    SCOPED_TRACE(one.id);
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(CUPILOT_POOL) / (one.id + ".txt")));
    EXPECT_TRUE(titles.insert(one.title).second) << "two strategies say the same";
    EXPECT_FALSE(one.preconditions.empty());
    EXPECT_GE(one.steps.size(), 2u - !one.rule.empty());
    EXPECT_TRUE(!one.evidence.empty() || !one.rule.empty());
    EXPECT_GT(one.gain, 1);
    EXPECT_LE(one.gain, 10);
    for (const std::string &feature : one.features) EXPECT_TRUE(kFeatures.contains(feature)) << feature;
  }
}

TEST(Pool, CoversEveryClassAndHopper) {
  const auto pool = StrategyPool::load(CUPILOT_POOL).value();
  for (const char *roofline_class : {"memory-bound", "compute-bound", "latency-bound"})
    EXPECT_GE(std::ranges::count_if(pool.strategies(),
                                    [&](const Strategy &one) {
                                      return std::ranges::find(one.roofline_classes, roofline_class) !=
                                             one.roofline_classes.end();
                                    }),
              20);
  for (const char *id :
       {"bulk-copy-pipeline", "device-tensor-map", "warp-specialised-producer", "cluster-split-rows",
        "tf32-three-products-wgmma", "online-softmax", "welford-merge", "split-k", "stream-k",
        "look-back-scan", "skip-zero-tiles", "compensated-sum", "one-pass-over-input", "dependent-launch"})
    EXPECT_NE(pool.find(id), nullptr) << id;
}

// The rules policy tries them in this order; a new record or feature word must not change it.
TEST(Pool, TheOrderOfTheBuiltInRulesStays) {
  const auto pool = StrategyPool::load(CUPILOT_POOL).value();
  const auto order = [&](std::set<std::string> features) {
    std::vector<std::string> ids;
    for (const Strategy &one : retrieve(pool, {.features = std::move(features)}))
      if (!one.rule.empty()) ids.push_back(one.id);
    return ids;
  };
  using testing::ElementsAre;
  EXPECT_THAT(
      order({"loop", "narrow-elements", "one-dimensional", "shared-memory"}),
      ElementsAre("warp-per-row", "wide-access", "pad-shared", "register-tile", "grid-stride",
                  "tf32-three-products-mma", "block-size", "half-three-products-mma", "privatised-histogram",
                  "coalesced-mapping", "transpose-through-shared", "row-in-registers", "window-in-registers",
                  "cluster-split-rows", "two-stage-reduction", "fp64-mma", "scan-rows-with-carry"));
  EXPECT_THAT(
      order({"narrow-elements", "one-dimensional"}),
      ElementsAre("warp-per-row", "wide-access", "register-tile", "grid-stride", "pad-shared",
                  "tf32-three-products-mma", "block-size", "half-three-products-mma", "privatised-histogram",
                  "coalesced-mapping", "transpose-through-shared", "row-in-registers", "window-in-registers",
                  "cluster-split-rows", "two-stage-reduction", "fp64-mma", "scan-rows-with-carry"));
  EXPECT_THAT(
      order({"two-dimensional"}),
      ElementsAre("warp-per-row", "wide-access", "register-tile", "pad-shared", "tf32-three-products-mma",
                  "block-size", "half-three-products-mma", "privatised-histogram", "grid-stride",
                  "coalesced-mapping", "transpose-through-shared", "row-in-registers", "window-in-registers",
                  "cluster-split-rows", "two-stage-reduction", "fp64-mma", "scan-rows-with-carry"));
}

TEST(Pool, WhatComesFirstFitsTheKernel) {
  const auto pool = StrategyPool::load(CUPILOT_POOL).value();
  const auto first = [&](const std::string &roofline_class, std::set<std::string> features,
                         PrecisionKind precision = PrecisionKind::same) {
    const auto ranked = rank_strategies(pool, {.roofline_class = roofline_class,
                                               .features = std::move(features),
                                               .architecture = "sm_90",
                                               .precision = precision});
    std::vector<std::string> ids;
    for (const auto &one : select_strategies(ranked, 6)) ids.push_back(one.strategy.id);
    return ids;
  };
  using testing::Contains;
  using testing::IsSupersetOf;
  using testing::Not;
  const std::set<std::string> matmul{"float",           "loop",      "matmul",
                                     "narrow-elements", "reduction", "two-dimensional"};
  EXPECT_THAT(first("compute-bound", matmul),
              IsSupersetOf({"tf32-three-products-mma", "shared-tiles", "split-k"}));
  EXPECT_THAT(first("compute-bound", matmul), Not(Contains("narrow-tensor-cores")));
  EXPECT_THAT(first("compute-bound", matmul, PrecisionKind::tf32), Contains("narrow-tensor-cores"));
  EXPECT_THAT(first("memory-bound", {"division", "float", "loop", "narrow-elements", "one-dimensional",
                                     "reduction", "row-wise", "softmax", "transcendental"}),
              Contains(testing::AnyOf("online-softmax", "split-softmax", "row-in-registers")));
  EXPECT_THAT(
      first("memory-bound", {"float", "loop", "narrow-elements", "one-dimensional", "row-wise", "scan"}),
      Contains("scan-rows-with-carry"));
  EXPECT_THAT(first("memory-bound", {"elementwise", "float", "narrow-elements", "one-dimensional"}),
              IsSupersetOf({"wide-access", "loads-in-flight", "compile-time-sizes"}));
}

TEST(Pool, LocatesAFileThatDoesNotParse) {
  const auto folder = TemporaryFolder::create("pool").value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "a.txt", "cupilot-strategy 1\nnonsense\n"));
  const auto pool = StrategyPool::load(folder.path());
  ASSERT_FALSE(pool);
  EXPECT_THAT(pool.error().message, HasSubstr("a.txt:2:1: error: expected 'key: value'"));
}

TEST(Pool, RefusesTheSameIdTwice) {
  const auto folder = TemporaryFolder::create("pool").value();
  const auto text = to_text(*StrategyPool::load(CUPILOT_POOL)->find("block-size"));
  ASSERT_TRUE(write_file_atomic(folder.path() / "a.txt", text));
  ASSERT_TRUE(write_file_atomic(folder.path() / "b.txt", text));
  const auto pool = StrategyPool::load(folder.path());
  ASSERT_FALSE(pool);
  EXPECT_THAT(pool.error().message, HasSubstr("two strategies have the id 'block-size'"));
}

TEST(Pool, ConflictsNameWhatIsThere) {
  Strategy one, two;
  one.id = "one", two.id = "wide-access";
  one.conflicts = {"wide-access"};
  EXPECT_TRUE(StrategyPool::of({one, two}));
  one.conflicts = {"wide-acess"};
  EXPECT_EQ(StrategyPool::of({one, two}).error().message,
            "strategy 'one' is in conflict with 'wide-acess', which is not in the pool; did you mean "
            "'wide-access'?");
  one.conflicts = {"one"};
  EXPECT_THAT(StrategyPool::of({one, two}).error().message, HasSubstr("in conflict with itself"));
}

TEST(Pool, LearnedStrategiesJoin) {
  const auto pool = StrategyPool::load(CUPILOT_POOL).value();
  Strategy learned = *pool.find("block-size");
  const auto again = to_text(learned);
  learned.id = "run-1-s0007";
  learned.conflicts = {"s0003", "grid-stride", "run-1-s0008"};
  const auto first = to_text(learned);
  learned.id = "run-1-s0008";
  const auto second = to_text(learned);
  const auto [joined, left_out] = pool.with({first, again, "not a strategy", second});
  EXPECT_EQ(joined.strategies().size(), pool.strategies().size() + 2);
  ASSERT_NE(joined.find("run-1-s0007"), nullptr);
  EXPECT_THAT(joined.find("run-1-s0007")->conflicts, testing::ElementsAre("grid-stride", "run-1-s0008"));
  ASSERT_EQ(left_out.size(), 2u);
  EXPECT_THAT(left_out[0], HasSubstr("'block-size': the pool already has a strategy with this id"));
  EXPECT_THAT(left_out[1], HasSubstr("this is not a strategy"));
}

TEST(Pool, NamesAFolderThatIsMissingOrEmpty) {
  const auto folder = TemporaryFolder::create("pool").value();
  EXPECT_THAT(StrategyPool::load(folder.path()).error().message, HasSubstr("has no *.txt file"));
  EXPECT_THAT(StrategyPool::load(folder.path() / "none").error().message,
              HasSubstr("cannot read the strategy pool"));
}

TEST(Pool, TheEnvironmentDecidesWhereItIs) {
  ASSERT_EQ(setenv("CUPILOT_STRATEGIES", "/somewhere", 1), 0);
  EXPECT_EQ(find_strategies().value(), "/somewhere");
  ASSERT_EQ(unsetenv("CUPILOT_STRATEGIES"), 0);
  EXPECT_TRUE(std::filesystem::equivalent(find_strategies().value(), CUPILOT_POOL));
}

}  // namespace
}  // namespace cupilot
