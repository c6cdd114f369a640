// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "annotate/support/files.h"
#include "evolution/strategy/strategy_text.h"

namespace cupilot {
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
  EXPECT_EQ(
      StrategyPool::of({one, two}).error().message,
      "strategy 'one' is in conflict with 'wide-acess', which is not there; did you mean 'wide-access'?");
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
  EXPECT_THAT(left_out[0], HasSubstr("'block-size': the pool has one of this id"));
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
