// SPDX-License-Identifier: Apache-2.0
//
// Who goes on and who is crossed with whom: elitism 2, tournaments of 3, the lower confidence bound,
// conflicts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evolution/search/crossover.h"
#include "evolution/search/selection.h"

namespace cupilot {
using namespace model;
using namespace search;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Verdict measured(double speedup, double low) {
  Verdict verdict;
  verdict.kind = VerdictKind::faster;
  verdict.measurements = {{.workload = "w", .speedup = speedup, .speedup_low = low}};
  return verdict;
}

/// Individuals that stay where they are.
struct People {
  std::deque<Evaluated> all;
  Population population;
  void add(const std::string &id, double speedup, double low) {
    Individual individual;
    individual.id = id;
    individual.variant = id;
    all.push_back({individual, measured(speedup, low), 1, false});
    population.push_back({{.id = "s" + id, .title = id}, &all.back()});
  }
};
std::vector<std::string> names(const Population &population) {
  std::vector<std::string> all;
  for (const search::Member &member : population) all.push_back(member.made->individual.id);
  return all;
}

TEST(LowScore, IsTheLowerEndByWeights) {
  Verdict verdict = measured(9, 1.1);
  verdict.measurements.push_back({.workload = "v", .speedup = 9, .speedup_low = 4.4, .weight = 3});
  EXPECT_NEAR(low_score(verdict), std::pow(1.1 * std::pow(4.4, 3), 0.25), 1e-9);
  verdict.measurements.push_back({.workload = "hidden", .speedup = 90, .speedup_low = 90, .holdout = true});
  EXPECT_NEAR(low_score(verdict), std::pow(1.1 * std::pow(4.4, 3), 0.25), 1e-9);
}

TEST(LowScore, WhereItIsNotUsedTheOriginalRuns) {
  Verdict verdict = measured(4, 4);
  verdict.measurements.push_back({.workload = "v", .speedup = 0.5, .speedup_low = 0.4});
  verdict.dispatch = {"w"};
  EXPECT_NEAR(low_score(verdict), 2, 1e-9);
}

TEST(LowScore, EstimatesCountAsTheyAreAndFailuresNothing) {
  Verdict estimated;
  estimated.kind = VerdictKind::faster;
  estimated.estimates = {{.workload = "w", .ratio = 1.7}};
  EXPECT_NEAR(low_score(estimated), 1.7, 1e-9);
  Verdict failed = measured(3, 3);
  failed.kind = VerdictKind::wrong;
  EXPECT_EQ(low_score(failed), 0);
}

TEST(Selection, RanksByTheLowerEndNotByTheCentre) {
  People people;
  people.add("lucky", 3.0, 1.1);
  people.add("sure", 1.5, 1.45);
  rank_members(people.population);
  EXPECT_THAT(names(people.population), ElementsAre("sure", "lucky"));
}

TEST(Selection, AnIndividualIsThereOnce) {
  People people;
  people.add("a", 2, 2);
  people.population.push_back(people.population[0]);
  rank_members(people.population);
  EXPECT_THAT(people.population, SizeIs(1));
}

TEST(Selection, TheTwoBestAlwaysGoOn) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    People people;
    for (int i = 0; i < 12; ++i) people.add("c" + std::to_string(10 + i), 2 - 0.1 * i, 2 - 0.1 * i);
    Draw draw(seed);
    const auto next = names(select_members(people.population, 4, draw));
    ASSERT_THAT(next, SizeIs(4));
    EXPECT_EQ(next[0], "c10");
    EXPECT_EQ(next[1], "c11");
    EXPECT_EQ(std::set<std::string>(next.begin(), next.end()).size(), 4u);
  }
}

/// Of 10, the best of 3 drawn with replacement is the k-th with probability ((10-k)^3 - (9-k)^3) / 1000.
TEST(Selection, TournamentsAreOfThree) {
  People people;
  for (int i = 0; i < 10; ++i) people.add("c" + std::to_string(i), 2 - 0.1 * i, 2 - 0.1 * i);
  Draw draw(7);
  std::vector<int> won(10, 0);
  for (int i = 0; i < 20000; ++i) ++won[tournament(people.population, draw)];
  EXPECT_NEAR(won[0] / 20000.0, 0.271, 0.02);
  EXPECT_NEAR(won[1] / 20000.0, 0.217, 0.02);
  EXPECT_NEAR(won[9] / 20000.0, 0.001, 0.002);
}

TEST(Crossover, PairsAreOfTwoTheBetterOneFirst) {
  People people;
  for (int i = 0; i < 6; ++i) people.add("c" + std::to_string(i), 2 - 0.1 * i, 2 - 0.1 * i);
  CrossedPairs crossed;
  Draw draw(3);
  const auto pairs = draw_pairs(people.population, 15, crossed, draw);
  ASSERT_THAT(pairs, SizeIs(15)) << "all there are";
  for (const Pair &pair : pairs) EXPECT_TRUE(better(pair.first, pair.second));
  EXPECT_THAT(draw_pairs(people.population, 1, crossed, draw), IsEmpty());
}

TEST(Crossover, OneAloneHasNobody) {
  People people;
  people.add("c0", 2, 2);
  CrossedPairs crossed;
  Draw draw(1);
  EXPECT_THAT(draw_pairs(people.population, 3, crossed, draw), IsEmpty());
}

TEST(Contradict, ANotOrAnOppositeIsEnough) {
  EXPECT_TRUE(contradict("the row fits in registers", "the row does not fit in registers"));
  EXPECT_TRUE(contradict("cols is even", "cols is odd"));
  EXPECT_TRUE(contradict("Rows are short.", "rows are long"));
  EXPECT_TRUE(contradict("x is at least 4", "x is at most 4"));
  EXPECT_TRUE(contradict("no shared memory is used", "shared memory is used"));
}

TEST(Contradict, OthersAreLeftToTheStrategist) {
  EXPECT_FALSE(contradict("cols is even", "cols is even"));
  EXPECT_FALSE(contradict("cols is even", "rows is odd"));
  EXPECT_FALSE(contradict("the row fits in registers", "the row fits in shared memory"));
  EXPECT_FALSE(contradict("not even", "odd")) << "two denials";
  EXPECT_FALSE(contradict("", ""));
}

TEST(Conflicts, AreFoundInIdsThroughAncestorsAndInPreconditions) {
  Strategy wide{.id = "s0001", .preconditions = {"cols is even"}, .parents = {"wide-access"}};
  Strategy child{.id = "s0003", .parents = {"s0001", "s0002"}};
  Strategy against{.id = "s0004", .preconditions = {"cols is odd"}, .conflicts = {"wide-access", "s0001"}};
  Lineage lineage;
  for (const Strategy *one : {&wide, &child, &against}) lineage.add(*one);
  const auto found = conflicts_between(child, against, lineage);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0], "s0004 cannot be combined with wide-access, of which s0003 was made");
  const auto direct = conflicts_between(against, wide, lineage);
  EXPECT_THAT(direct, testing::Contains("s0004 cannot be combined with s0001"));
  EXPECT_THAT(direct.back(), HasSubstr("\"cols is odd\""));
  EXPECT_THAT(conflicts_between(wide, child, lineage), IsEmpty());
}

}  // namespace
}  // namespace cupilot
