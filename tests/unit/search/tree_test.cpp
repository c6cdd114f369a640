// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace model;
using namespace search;
namespace {

Strategy strategy(const std::string &title, double gain, std::size_t steps = 1) {
  Strategy one;
  one.id = one.title = title;
  one.gain = gain;
  one.steps.assign(steps, "do it");
  return one;
}

TEST(StrategyTree, TheHighestPromiseIsNext) {
  StrategyTree tree;
  EXPECT_FALSE(tree.next());
  tree.add(StrategyTree::kRoot, strategy("a", 1.2));
  const auto b = tree.add(StrategyTree::kRoot, strategy("b", 1.5));
  tree.add(StrategyTree::kRoot, strategy("c", 1.4));
  EXPECT_EQ(tree.next(), b);
}

TEST(StrategyTree, APromiseCountsFromTheParentsSolution) {
  StrategyTree tree;
  const Evaluated solution;
  const auto a = tree.add(StrategyTree::kRoot, strategy("a", 1.5));
  const auto b = tree.add(StrategyTree::kRoot, strategy("b", 1.7));
  tree.attach(a, strategy("a", 1.5), solution, 1.6);
  const auto below = tree.add(a, strategy("below", 1.1));
  EXPECT_DOUBLE_EQ(tree.promise(below), 1.6 * 1.1);
  EXPECT_EQ(tree.next(), below) << "1.76 before 1.7";
  tree.drop(below, "no");
  EXPECT_EQ(tree.next(), b);
}

TEST(StrategyTree, OnlyBelowASolution) {
  StrategyTree tree;
  const auto a = tree.add(StrategyTree::kRoot, strategy("a", 1.1));
  tree.add(a, strategy("below", 9));
  EXPECT_EQ(tree.next(), a);
}

TEST(StrategyTree, EqualPromisesByDifficultyThenRatingThenAge) {
  StrategyTree tree;
  const Evaluated solution;
  tree.add(StrategyTree::kRoot, strategy("hard", 2, 5));
  const auto easy = tree.add(StrategyTree::kRoot, strategy("easy", 2, 1));
  tree.add(StrategyTree::kRoot, strategy("as easy", 2, 1));
  EXPECT_EQ(tree.next(), easy);

  StrategyTree rated;
  const auto kept = rated.add(StrategyTree::kRoot, strategy("broke its promise", 4));
  const auto broken = rated.add(StrategyTree::kRoot, strategy("kept its promise", 2));
  rated.attach(kept, strategy("", 4), solution, 2);
  rated.attach(broken, strategy("", 2), solution, 2);
  const auto below_broken = rated.add(kept, strategy("a", 1.5));
  const auto below_kept = rated.add(broken, strategy("b", 1.5));
  EXPECT_DOUBLE_EQ(rated.rating(below_broken), 0.5);
  EXPECT_DOUBLE_EQ(rated.rating(below_kept), 1);
  EXPECT_EQ(rated.next(), below_kept);
}

TEST(StrategyTree, TooHardIsNeverTried) {
  StrategyTree tree;
  Strategy risky = strategy("risky", 8, 7);
  risky.risk = "high: deadlock where a block exits early";
  EXPECT_EQ(tree.difficulty(tree.add(StrategyTree::kRoot, risky)), 5);
  EXPECT_FALSE(tree.next());
  const auto hard = tree.add(StrategyTree::kRoot, strategy("hard", 3, 9));
  EXPECT_EQ(tree.difficulty(hard), 4) << "many steps alone do not make it too hard";
  EXPECT_EQ(tree.next(), hard);
  EXPECT_EQ(tree.difficulty(tree.add(StrategyTree::kRoot, strategy("easy", 3, 1))), 1);
}

TEST(StrategyTree, AnIntentOutlivesFourFailedRealisations) {
  StrategyTree tree;
  const auto a = tree.add(StrategyTree::kRoot, strategy("a", 2));
  const auto b = tree.add(StrategyTree::kRoot, strategy("b", 1.5));
  for (int i = 0; i < 4; ++i) {
    tree.fail(a, "wrong " + std::to_string(i));
    EXPECT_EQ(tree.next(), a) << i;
  }
  EXPECT_THAT(tree.node(a).failures, testing::ElementsAre("wrong 0", "wrong 1", "wrong 2", "wrong 3"));
  tree.fail(a, "wrong 4");
  EXPECT_TRUE(tree.node(a).dropped);
  EXPECT_EQ(tree.next(), b);
}

TEST(StrategyTree, KeepsWhatWasPredictedAndWhatCame) {
  StrategyTree tree;
  const Evaluated first, second;
  const auto a = tree.add(StrategyTree::kRoot, strategy("a", 2));
  tree.attach(a, strategy("a as it is", 2), first, 1.5);
  const auto b = tree.add(a, strategy("b", 1.2));
  tree.attach(b, strategy("b", 1.2), second, 1.35);
  EXPECT_EQ(tree.node(a).strategy.title, "a as it is");
  EXPECT_DOUBLE_EQ(tree.node(a).predicted, 2);
  EXPECT_DOUBLE_EQ(tree.node(a).observed, 1.5);
  EXPECT_DOUBLE_EQ(tree.node(b).predicted, 1.2);
  EXPECT_DOUBLE_EQ(tree.node(b).observed, 0.9) << "over its parent's solution";
  EXPECT_EQ(tree.best(), a);
}

}  // namespace
}  // namespace cupilot
