// SPDX-License-Identifier: Apache-2.0
//
// `auto`: what runs after what, with which share of the budget.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/search/population.h"
#include "tests/unit/search/scripted_model.h"

namespace cupilot {
using namespace model;
using namespace search;
using namespace store;
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Rules get 4.86x (landscape.h); what a model's alpha and beta add is on top.
Terrain with_model(const Point &point) {
  const Terrain of_rules = hills(point);
  if (of_rules.speedup <= 0) return of_rules;
  return speed(of_rules.speedup * (point.has("alpha") ? 1.3 : 1) * (point.has("beta") ? 1.2 : 1));
}

struct Automatic : Stage {
  explicit Automatic(FakeJudge::Landscape landscape = with_model)
      : Stage(std::move(landscape), hilly_rules()) {
    model.ideas = {"alpha", "beta"};
    ground.settings.options.guidance = false;
    model.script = [](const Shown &shown) -> std::optional<std::string> {
      if (shown.kind == "strategist_extend") return strategies_answer({strategy_json("beta")});
      if (shown.kind != "translator") return std::nullopt;
      // Knobs of the base stay.
      std::string knobs;
      for (const std::string &line : split_lines(shown.prompt))
        if (line.starts_with("constexpr int ")) knobs += line + "\n";
      const std::string title = shown.after("title: ");
      return variant_answer(
          "// rules: " + united(shown.after("// rules: "), title == "beta" ? "beta" : "alpha") + "\n" +
          knobs);
    };
  }
  Result<void> tune() { return play(run_auto); }
  /// Names of the rounds in the order they began, each once.
  std::vector<std::string> rounds() const {
    std::vector<std::string> names;
    const auto events = database->events(run).value();
    for (const StoredEvent &event : events) {
      const std::string name = event.text.substr(0, event.text.find(':'));
      if (event.kind == "round" && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return names;
  }
  std::ptrdiff_t place_of(const std::string &round) const {
    const auto names = rounds();
    return std::ranges::find(names, round) - names.begin();
  }
};

TEST(Auto, RulesFirstThenModelsOnTopOfThem) {
  Automatic stage;
  ASSERT_TRUE(stage.tune());
  EXPECT_EQ(stage.place_of("singles"), 0);
  EXPECT_LT(stage.place_of("singles"), stage.place_of("tree 1"));
  const auto first = stage.model.of("translator");
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(first[0].after("// rules: "), "warp-per-row wide-access block-size")
      << "the rules' best is the base";
  EXPECT_NEAR(score(stage.evaluator->best()->verdict), 0.9 * 3 * 1.5 * 1.2 * 1.3 * 1.2, 1e-9);
}

TEST(Auto, WithoutAModelItIsRulesAndKnobs) {
  Playground ground(hilly_rules(), hills);
  ground.settings.policy = "auto";
  const auto outcome = ground.run();
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_TRUE(outcome->winner);
  EXPECT_NEAR(overall_speedup(outcome->winner->verdict), 0.9 * 3 * 1.5 * 1.2, 1e-9);
  EXPECT_EQ(outcome->stopped_because, "nothing left to try");
}

TEST(Auto, RulesEndWhereTheirShareEnds) {
  Automatic stage;
  stage.ground.settings.budget.candidates = 20;
  std::size_t judged_at_first_question = 0;
  stage.model.after_answer = [&] {
    if (judged_at_first_question == 0) judged_at_first_question = stage.evaluator->allowance().named();
  };
  ASSERT_TRUE(stage.tune());
  EXPECT_EQ(judged_at_first_question, 5u) << "a quarter of 20";
  EXPECT_LE(stage.evaluator->allowance().named(), 20u);
}

TEST(Auto, ModelsLeaveSomethingForTheKnobs) {
  // The model's variants are new ones for ever, and always a little better.
  int made = 0;
  Automatic stage([](const Point &point) {
    double best = 1;
    for (const std::string &rule : point.rules)
      if (rule.starts_with("v")) best = 2 + 0.1 * std::stod(rule.substr(1));
    return speed(best * (point.knob("kItems", 1) == 4 ? 1.2 : 1));
  });
  stage.model.script = [&](const Shown &shown) -> std::optional<std::string> {
    if (shown.kind == "strategist_extend") return strategies_answer({strategy_json("more")});
    if (shown.kind != "translator") return std::nullopt;
    return variant_answer("// rules: v" + std::to_string(++made) +
                          "\nconstexpr int kItems = 1;  // knob: 1 2 4\n");
  };
  stage.ground.settings.budget.candidates = 40;
  ASSERT_TRUE(stage.tune());
  EXPECT_EQ(stage.evaluator->allowance().named(), 40u);
  EXPECT_THAT(stage.rounds(), Contains("knobs"));
  EXPECT_EQ(stage.evaluator->best()->individual.knobs.at(0).value, 4);
  EXPECT_LE(made, 34) << "85 of 100";
  EXPECT_LT(stage.place_of("tree 1"), stage.place_of("phase 0"));
  EXPECT_LT(stage.place_of("phase 0"), stage.place_of("knobs"));
}

TEST(Auto, NearTheRoofNoModelIsAsked) {
  Automatic stage([](const Point &point) {
    Terrain terrain = with_model(point);
    terrain.bandwidth_share = 0.95;
    return terrain;
  });
  ASSERT_TRUE(stage.tune());
  EXPECT_THAT(stage.model.of("translator"), IsEmpty());
  EXPECT_THAT(stage.model.of("strategist_initial"), IsEmpty());
}

TEST(Auto, NumbersOfStrategiesGoOn) {
  Stage stage([](const Point &) { return speed(1.2); });
  stage.judged("// rules: a\n", {"s0007", "wide-access"});
  stage.judged("// rules: b\n", {"s0003"});
  stage.judged("// rules: c\n", {"shared-tile", "b0009"});
  EXPECT_EQ(ids_used(*stage.evaluator, "s"), 7u);
  EXPECT_EQ(ids_used(*stage.evaluator, "b"), 9u);
  EXPECT_EQ(ids_used(*stage.evaluator, "t"), 0u);
  EXPECT_EQ(StrategyIds("s", 7).next(), "s0008");
}

}  // namespace
}  // namespace cupilot
