// SPDX-License-Identifier: Apache-2.0
//
// What a search leaves for the history.

#include "evolution/search/strategy_outcomes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/strategy/strategy_text.h"
#include "tests/unit/search/scripted_model.h"

namespace cupilot {
using namespace model;
using namespace search;
using namespace strategy;
namespace {

using testing::HasSubstr;

const StrategyOutcome *about(const TuneOutcome &outcome, const std::string &strategy) {
  const auto found = std::ranges::find(outcome.outcomes, strategy, &StrategyOutcome::strategy);
  return found == outcome.outcomes.end() ? nullptr : &*found;
}

TEST(StrategyOutcomes, OfRulesEachByItself) {
  Playground ground(hilly_rules(), hills);
  const auto outcome = ground.run().value();
  ASSERT_EQ(outcome.outcomes.size(), 5u) << "wins, failures and refusals";
  const StrategyOutcome *warp = about(outcome, "warp-per-row");
  ASSERT_TRUE(warp);
  EXPECT_EQ(warp->verdict, VerdictKind::faster);
  EXPECT_NEAR(warp->speedup, 0.9 * 2.5, 1e-9) << "alone: what it did with others is more, and theirs too";
  EXPECT_EQ(warp->kernel, "k");
  EXPECT_EQ(warp->kernel_id, "kid");
  EXPECT_EQ(warp->architecture, "sm_90");
  EXPECT_FALSE(warp->estimated);
  EXPECT_FALSE(warp->refused);
  EXPECT_EQ(about(outcome, "block-size")->verdict, VerdictKind::slower) << "faster only beside others";
  EXPECT_EQ(about(outcome, "grid-stride")->verdict, VerdictKind::wrong);
  EXPECT_EQ(about(outcome, "grid-stride")->reason, "y differs at 17");
  const StrategyOutcome *pad = about(outcome, "pad-shared");
  EXPECT_TRUE(pad->refused);
  EXPECT_THAT(pad->reason, HasSubstr("no shared array"));
  EXPECT_EQ(pad->verdict, VerdictKind::not_evaluated);
}

TEST(StrategyOutcomes, ResumedOrNotTheyAreTheSame) {
  Playground ground(hilly_rules(), hills);
  const auto first = ground.run().value(), second = ground.run().value();
  ASSERT_EQ(first.outcomes.size(), second.outcomes.size());
  for (std::size_t i = 0; i < first.outcomes.size(); ++i) {
    EXPECT_EQ(first.outcomes[i].strategy, second.outcomes[i].strategy);
    EXPECT_EQ(first.outcomes[i].verdict, second.outcomes[i].verdict);
    EXPECT_EQ(first.outcomes[i].speedup, second.outcomes[i].speedup);
  }
}

TEST(StrategyOutcomes, EstimatesAreMarked) {
  Playground ground(hilly_rules(), [](const Point &) { return Terrain{VerdictKind::wrong, 0, "no"}; });
  ground.settings.estimates = true;
  ground.judge.device.clear();
  const auto outcome = ground.run().value();
  ASSERT_FALSE(outcome.outcomes.empty());
  for (const StrategyOutcome &one : outcome.outcomes) EXPECT_TRUE(one.estimated);
}

/// One individual of a strategy a model made, as the workshop sends it to the judge.
Individual made(const Strategy &strategy, const std::string &rules, std::vector<std::string> parents = {}) {
  return {.strategies = {strategy.id},
          .strategy_text = to_text(strategy),
          .variant = "// rules: " + rules + "\n",
          .parents = std::move(parents)};
}
Strategy own(const std::string &id, std::vector<std::string> from) {
  Strategy strategy = strategy_titled(id, "made of " + join(from, " and "));
  strategy.roofline_classes = {"memory-bound"};
  strategy.expected_effect = strategy.risk = strategy.check = "-";
  strategy.parents = std::move(from);
  return strategy;
}

struct MadeStrategies : testing::Test {
  std::map<std::string, StrategyOutcome> outcomes(const Individual *winner = nullptr) {
    std::map<std::string, StrategyOutcome> by_id;
    for (StrategyOutcome &one :
         strategy_outcomes({stage.ground.spec, stage.ground.settings, stage.ground.pool, *stage.evaluator,
                            *stage.breeder, winner}))
      by_id.emplace(one.strategy, one);
    return by_id;
  }
  const Evaluated *judge(Individual individual) {
    return stage.evaluator->judge({.name = "r", .individuals = {std::move(individual)}, .seed = 1})->at(0);
  }
  Stage stage{[](const Point &point) {
                double speedup = 1;
                if (point.has("x")) speedup *= 2;
                if (point.has("y")) speedup *= 0.5;
                if (point.has("z")) speedup *= 1.5;
                return speed(speedup);
              },
              {{"pool-x"}, {"pool-y"}, {"pool-z"}}};
};

TEST_F(MadeStrategies, StandForThoseOfThePoolTheyWereMadeOf) {
  judge(made(own("s0001", {"pool-x"}), "x"));
  judge(made(own("s0002", {"pool-x", "pool-y"}), "x y"));
  const auto all = outcomes();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NEAR(all.at("pool-x").speedup, 2, 1e-9) << "what it did alone says more";
  EXPECT_EQ(all.at("pool-y").verdict, VerdictKind::same) << "beside x, for want of better";
}

TEST_F(MadeStrategies, OnAnotherVariantCountByWhatTheyGainedOverIt) {
  const Evaluated *base = judge(made(own("s0001", {"pool-x"}), "x"));
  judge(made(own("s0002", {"pool-y"}), "x y", {base->individual.id}));
  judge(made(own("s0003", {"pool-z"}), "x z", {base->individual.id}));
  const auto all = outcomes();
  EXPECT_EQ(all.at("pool-y").verdict, VerdictKind::slower) << "though as fast as the original";
  EXPECT_NEAR(all.at("pool-y").speedup, 0.5, 1e-9);
  EXPECT_EQ(all.at("pool-z").verdict, VerdictKind::faster);
  EXPECT_NEAR(all.at("pool-z").speedup, 1.5, 1e-9);
}

TEST_F(MadeStrategies, TheWinnersOwnIsThereForWhoeverLearnsIt) {
  const Evaluated *winner = judge(made(own("s0001", {"pool-x"}), "x"));
  judge(made(own("s0002", {"pool-y"}), "y"));
  const auto all = outcomes(&winner->individual);
  EXPECT_TRUE(all.contains("s0001"));
  EXPECT_FALSE(all.contains("s0002"));
}

TEST_F(MadeStrategies, ARefusalCountsUnlessSomethingWasJudged) {
  judge(made(own("s0001", {"pool-x"}), "x"));
  ASSERT_TRUE(stage.evaluator->refuse(own("s0002", {"pool-x", "pool-y"}), "no loop"));
  const auto all = outcomes();
  EXPECT_FALSE(all.at("pool-x").refused);
  EXPECT_TRUE(all.at("pool-y").refused);
  EXPECT_EQ(all.at("pool-y").reason, "no loop");
}

}  // namespace
}  // namespace cupilot
