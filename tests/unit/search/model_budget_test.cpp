// SPDX-License-Identifier: Apache-2.0
//
// A search whose model costs something: what ends it, what it says it spent.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/search/model_run.h"

namespace cupilot {
using namespace search;
using namespace store;
namespace {

using testing::HasSubstr;

struct ModelBudget : testing::Test {
  ModelBudget() {
    set_up_model(model);
    set_up_model_run(ground);
    ground.model = &model;
  }
  ScriptedModel model;
  Playground ground{{}, ridges};
};

TEST_F(ModelBudget, SpendingIsThatOfAllAnswers) {
  const auto outcome = ground.run().value();
  EXPECT_EQ(outcome.spent.tokens_in, 7 * static_cast<long long>(model.shown.size()));
  EXPECT_EQ(outcome.spent.tokens_out, 3 * static_cast<long long>(model.shown.size()));
  const auto again = ground.run().value();
  EXPECT_EQ(again.spent.tokens(), outcome.spent.tokens()) << "over all starts, nothing was asked again";
  EXPECT_EQ(again.judged, 0u);
  EXPECT_EQ(again.winner->individual.variant, outcome.winner->individual.variant);
}

TEST_F(ModelBudget, WhereTheTokensEndTheBestSoFarIsConfirmed) {
  ground.settings.budget.tokens = 200;
  const auto outcome = ground.run().value();
  EXPECT_THAT(outcome.stopped_because, HasSubstr("token budget spent"));
  EXPECT_LE(outcome.spent.tokens(), 200);
  EXPECT_GT(outcome.spent.tokens(), 200 - 20) << "as many questions as fit";
  EXPECT_TRUE(outcome.winner);

  ground.settings.budget.tokens = std::nullopt;
  const std::size_t asked = model.shown.size();
  const auto more = ground.run().value();
  EXPECT_GT(more.spent.tokens(), 200) << "with more to spend it goes on";
  EXPECT_EQ(more.spent.tokens(), 10 * static_cast<long long>(model.shown.size()));
  EXPECT_GT(model.shown.size(), asked);
}

TEST_F(ModelBudget, ABudgetOfZeroIsSaidAndAsksNobody) {
  ground.settings.budget.tokens = 0;
  const auto outcome = ground.run().value();
  EXPECT_THAT(outcome.stopped_because, HasSubstr("token budget spent (0 of 0"));
  EXPECT_TRUE(model.shown.empty());
  EXPECT_FALSE(outcome.winner);
}

TEST_F(ModelBudget, NearTheRoofAModelIsNotAskedAnyMore) {
  const auto asked_at = [](double share) {
    ScriptedModel own;
    set_up_model(own);
    Playground near({}, [share](const Point &point) {
      Terrain terrain = ridges(point);
      terrain.bandwidth_share = share;
      return terrain;
    });
    set_up_model_run(near);
    near.model = &own;
    const auto outcome = near.run().value();
    return std::pair(outcome.stopped_because, own.shown.size());
  };
  const auto [near, few] = asked_at(0.91);
  const auto [far, many] = asked_at(0.89);
  EXPECT_THAT(near, HasSubstr("close to the hardware's limit"));
  EXPECT_EQ(far.find("roof"), std::string::npos);
  EXPECT_LT(few, many);
}

TEST_F(ModelBudget, OtherOptionsOrAnotherModelAreAnotherRun) {
  ASSERT_TRUE(ground.run());
  ground.settings.options.population = 4;
  ASSERT_TRUE(ground.run());
  const auto database = Database::open(ground.folder.path() / "run.db").value();
  const auto runs = database.runs().value();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_THAT(runs[1].info.options, HasSubstr("population=4"));
  EXPECT_THAT(runs[1].info.options, HasSubstr("translator=scripted:script 1"));
}

TEST_F(ModelBudget, TwoCriticsAreTwoRuns) {
  ScriptedModel one, another;
  one.called = "critic 1", another.called = "critic 2";
  ground.settings.options.critic = true;
  ground.critic = &one;
  ASSERT_TRUE(ground.run());
  ground.critic = &another;
  ASSERT_TRUE(ground.run());
  EXPECT_GT(one.of("critic").size(), 0u);
  EXPECT_EQ(another.of("critic").size(), one.of("critic").size()) << "nothing of the other's was taken";
  const auto runs = Database::open(ground.folder.path() / "run.db")->runs().value();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_TRUE(runs[0].info.options.ends_with("\ncritic=scripted:critic 1"));
  EXPECT_TRUE(runs[1].info.options.ends_with("\ncritic=scripted:critic 2"));
}

TEST_F(ModelBudget, WhereNoCriticIsAskedWhoItWouldBeIsNoMatter) {
  ScriptedModel one;
  one.called = "critic 1";
  ASSERT_TRUE(ground.run());
  ground.critic = &one;
  ASSERT_TRUE(ground.run());
  EXPECT_EQ(Database::open(ground.folder.path() / "run.db")->runs()->size(), 1u);
}

TEST_F(ModelBudget, VerdictsOfAnotherRunAreInThisOnesLineageToo) {
  const auto first = ground.run().value();
  ground.settings.options.epochs = 3;
  const auto second = ground.run().value();
  EXPECT_GT(second.resumed, 0u);
  const auto database = Database::open(ground.folder.path() / "run.db").value();
  const auto individuals = database.individuals(2).value();
  EXPECT_GE(individuals.size(), second.resumed + second.judged);
  for (const StoredIndividual &one : individuals) EXPECT_TRUE(one.verdict) << one.individual.id;
}

TEST_F(ModelBudget, RefusalsAreTold) {
  const auto outcome = ground.run().value();
  EXPECT_GT(outcome.refused, 0u);
  EXPECT_TRUE(std::ranges::any_of(outcome.tried, [](const TriedStrategies &one) {
    return !one.verdict && one.reason.find("no such loop here") != std::string::npos;
  }));
}

}  // namespace
}  // namespace cupilot
