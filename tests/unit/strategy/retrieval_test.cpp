// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/retrieval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
namespace {

using testing::ElementsAre;

Strategy strategy(const std::string &id, double gain, const std::string &roofline_class,
                  const std::string &rule = "r") {
  Strategy one;
  one.id = id;
  one.gain = gain;
  one.roofline_classes = {roofline_class};
  one.rule = rule;
  return one;
}

std::vector<std::string> ids(const std::vector<Strategy> &strategies) {
  std::vector<std::string> list;
  for (const auto &one : strategies) list.push_back(one.id);
  return list;
}

const StrategyPool kPool =
    StrategyPool::of({strategy("memory", 1.5, "memory-bound"), strategy("compute", 1.4, "compute-bound"),
                      strategy("model", 3, "memory-bound", ""), strategy("small", 1.1, "memory-bound")})
        .value();

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
  auto needs = strategy("needs", 1.5, "memory-bound");
  needs.features = {"loop"};
  const auto pool = StrategyPool::of({needs, strategy("plain", 1.4, "memory-bound")}).value();
  EXPECT_THAT(ids(retrieve(pool, {.features = {"loop"}})), ElementsAre("needs", "plain"));
  EXPECT_THAT(ids(retrieve(pool, {.features = {}})), ElementsAre("plain", "needs"));
}

}  // namespace
}  // namespace cupilot
