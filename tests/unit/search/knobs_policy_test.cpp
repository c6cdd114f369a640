// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evolution/search/descent.h"
#include "evolution/search/knobs.h"
#include "tests/unit/search/scripted_model.h"

namespace cupilot {
using namespace model;
using namespace search;
namespace {

using testing::ElementsAre;

double log_of(const Point &point, const std::string &knob) {
  return std::log2(static_cast<double>(point.knob(knob, 1)));
}

/// Two knobs that must change together: a ridge along the diagonal, its top at 16 and 16. What uses more than
/// 512 in all does not build.
Terrain ridge(const Point &point) {
  if (point.knob("kA", 1) * point.knob("kB", 1) > 512) return {VerdictKind::build_failed, 0, "too much"};
  const double a = log_of(point, "kA"), b = log_of(point, "kB");
  return speed(3 - 0.3 * std::abs(a - b) - 0.15 * std::abs(a + b - 8));
}
constexpr const char *kTwoKnobs =
    "// rules: tiled\n"
    "constexpr int kA = 1;  // knob: 1 2 4 8 16 32\n"
    "constexpr int kB = 1;  // knob: 1 2 4 8 16 32\n";

Individual tiled_individual() {
  return {.strategies = {"tiled"}, .variant = kTwoKnobs, .knobs = parse_knobs(kTwoKnobs).value()};
}

struct Knobs : Stage {
  Knobs() : Stage(ridge) {
    const auto first = evaluator->judge({.name = "before", .individuals = {tiled_individual()}, .seed = 1});
    EXPECT_NEAR(score(first->at(0)->verdict), 1.8, 1e-9);
  }
};

TEST(Knobs, DescentAloneIsCaughtOnARidge) {
  Knobs stage;
  ASSERT_TRUE(descend(*stage.evaluator, stage.ground.settings));
  EXPECT_LT(score(stage.evaluator->best()->verdict), 2.5);
}

TEST(Knobs, ExplorationFindsWhatOnlyHelpsTogether) {
  Knobs stage;
  ASSERT_TRUE(stage.play_on(run_knobs));
  EXPECT_NEAR(score(stage.evaluator->best()->verdict), 3, 1e-9);
  EXPECT_EQ(describe_knobs(stage.evaluator->best()->individual.knobs), "kA=16 kB=16");
  EXPECT_LT(stage.evaluator->judged(), 30u) << "of 36";
  EXPECT_EQ(stage.ground.most_often_judged(), 1);
}

TEST(Knobs, FewTriesAreLostToWhatDoesNotBuild) {
  Knobs stage;
  ASSERT_TRUE(stage.play_on(run_knobs));
  int failed = 0;
  for (const Evaluated &one : stage.evaluator->all()) failed += score(one.verdict) <= 0;
  EXPECT_LE(failed, 2) << "of three";
}

TEST(Knobs, KeepsTheBudget) {
  Knobs stage;
  stage.ground.settings.budget.candidates = 13;
  ASSERT_TRUE(stage.play_on(run_knobs));
  EXPECT_EQ(stage.evaluator->all().size(), 13u);
}

TEST(Knobs, OnTheirOwnTheyBeginWithWhatEachRuleMakesAlone) {
  Playground ground(hilly_rules(), hills);
  ground.settings.policy = "knobs";
  const auto outcome = ground.run();
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_TRUE(outcome->best);
  EXPECT_THAT(outcome->best->individual.strategies, ElementsAre("warp-per-row"));
  EXPECT_EQ(describe_knobs(outcome->best->individual.knobs), "kLanes=16");
  for (const TriedStrategies &row : outcome->tried) EXPECT_EQ(row.strategies.size(), 1u);
}

TEST(Knobs, ExhaustiveJudgesEverySettingOnce) {
  Playground ground(hilly_rules(), hills);
  ground.settings.policy = "exhaustive";
  ground.settings.confirmations = 0;
  const auto outcome = ground.run();
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_TRUE(outcome->best);
  EXPECT_EQ(describe_knobs(outcome->best->individual.knobs), "kLanes=16");
  EXPECT_EQ(ground.most_often_judged(), 1);
  EXPECT_EQ(outcome->judged, 4u + 4u + 1u + 5u) << "two knobs of four values, what is wrong, a knob of five";
}

TEST(Knobs, EverySettingIsThereOnce) {
  const auto settings = every_setting({{"kA", {1, 2}, 1}, {"kB", {5, 6, 7}, 6}});
  EXPECT_THAT(settings, ElementsAre(ElementsAre(1, 5), ElementsAre(2, 5), ElementsAre(1, 6),
                                    ElementsAre(2, 6), ElementsAre(1, 7), ElementsAre(2, 7)));
  EXPECT_THAT(every_setting({}), ElementsAre(ElementsAre())) << "without knobs there is one setting: none";
}

TEST(Knobs, AVariantWithItsKnobsSetIsAChild) {
  Individual parent = tiled_individual();
  parent.id = "c0007";
  const auto child = with_knobs(parent, {4, 32});
  ASSERT_TRUE(child);
  EXPECT_EQ(describe_knobs(parse_knobs(child->variant).value()), "kA=4 kB=32");
  EXPECT_EQ(describe_knobs(child->knobs), "kA=4 kB=32");
  EXPECT_THAT(child->parents, ElementsAre("c0007"));
  EXPECT_EQ(child->id, "");
  EXPECT_FALSE(with_knobs(parent, {3, 32})) << "3 is not among its values";
}

}  // namespace
}  // namespace cupilot
