// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/search/policy.h"

namespace cupilot {
using namespace search;
namespace {

using testing::ElementsAre;

TEST(Compositions, TheWholeThenTriplesThenPairs) {
  EXPECT_TRUE(compositions({}).empty());
  EXPECT_TRUE(compositions({"a"}).empty());
  EXPECT_THAT(compositions({"b", "a"}), ElementsAre(StrategySet{"b", "a"}));
  EXPECT_THAT(compositions({"a", "b", "c"}), ElementsAre(StrategySet{"a", "b", "c"}, StrategySet{"a", "b"},
                                                         StrategySet{"a", "c"}, StrategySet{"b", "c"}));
  EXPECT_EQ(compositions({"a", "b", "c", "d", "e"}).size(), 1u + 10u + 10u);
}

}  // namespace
}  // namespace cupilot
