// SPDX-License-Identifier: Apache-2.0
//
// `tree` as K-Search has it (arXiv 2602.19128): one intent at a time, what follows a solution, what follows
// failures.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/search/scripted_model.h"

namespace cupilot {
using namespace model;
using namespace search;
using namespace store;
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

nlohmann::json promising(const std::string &title, double gain) {
  auto strategy = strategy_json(title);
  strategy["gain"] = gain;
  return strategy;
}

/// Alpha promises 1.2, beta 2; below beta delta, below that nothing.
struct Planted : Stage {
  explicit Planted(FakeJudge::Landscape landscape) : Stage(std::move(landscape)) {
    ground.settings.options.population = 2;
    ground.settings.options.guidance = false;
    model.script = [this](const Shown &shown) { return say(shown); };
  }
  std::optional<std::string> say(const Shown &shown) {
    if (shown.kind == "strategist_initial")
      return strategies_answer({promising("alpha", 1.2), promising("beta", 2)});
    if (shown.kind == "strategist_extend")
      return shown.says("title: beta\n") ? strategies_answer({promising("delta", 1.5)}) : "nothing";
    if (shown.kind == "revisor_edit") return edit_answer("// rules: " + broken);
    return std::nullopt;
  }
  Result<void> grow() { return play(run_tree); }
  std::vector<std::string> titles() const {
    std::vector<std::string> titles;
    for (const Shown &one : model.of("translator")) titles.push_back(one.after("title: "));
    return titles;
  }
  std::vector<std::string> predictions() const {
    std::vector<std::string> texts;
    const auto events = database->events(run).value();
    for (const StoredEvent &event : events)
      if (event.kind == "prediction") texts.push_back(event.text);
    return texts;
  }
  std::string broken = "beta";
};

Terrain all_good(const Point &point) {
  double speedup = 1;
  if (point.has("alpha")) speedup *= 1.1;
  if (point.has("beta")) speedup *= 1.6;
  if (point.has("delta")) speedup *= 1.25;
  return speed(speedup);
}

TEST(TreePolicy, WorksOnTheMostPromisingIntentAndThenBelowIt) {
  Planted stage(all_good);
  ASSERT_TRUE(stage.grow());
  EXPECT_THAT(stage.titles(), ElementsAre("beta", "delta", "alpha"))
      << "delta promises 1.6 * 1.5 and comes before alpha, which was there first";
  EXPECT_THAT(stage.batch_sizes(), Contains(1u)) << "one intent at a time";
  const auto translations = stage.model.of("translator");
  EXPECT_EQ(translations[0].after("// rules: "), "") << "from the original";
  EXPECT_EQ(translations[1].after("// rules: "), "beta") << "from the parent's solution";
  EXPECT_NEAR(score(stage.evaluator->best()->verdict), 2, 1e-9);
}

TEST(TreePolicy, KeepsPredictionsBesideWhatCame) {
  Planted stage(all_good);
  ASSERT_TRUE(stage.grow());
  EXPECT_THAT(stage.predictions(),
              ElementsAre("node 2 below node 0 (c0001): beta: predicted 2.00x, observed 1.60x",
                          "node 3 below node 2 (c0002): delta: predicted 1.50x, observed 1.25x",
                          "node 1 below node 0 (c0003): alpha: predicted 1.20x, observed 1.10x"));
}

TEST(TreePolicy, TheStrategistIsToldWhatWasPredictedAndWhatCame) {
  Planted stage(all_good);
  ASSERT_TRUE(stage.grow());
  const auto extensions = stage.model.of("strategist_extend");
  ASSERT_GE(extensions.size(), 3u);
  EXPECT_TRUE(extensions[0].says("2.00x"));
  EXPECT_TRUE(extensions[0].says("1.60x"));
  EXPECT_TRUE(extensions[0].says("at most 3"));
  EXPECT_FALSE(extensions[0].says("// rules:"));
  const auto last = extensions.back();
  EXPECT_TRUE(last.says("title: alpha") || last.says("title: beta") || last.says("title: delta"));
  const auto of_alpha =
      std::ranges::find_if(extensions, [](const Shown &one) { return one.says("title: alpha\n"); });
  ASSERT_NE(of_alpha, extensions.end());
  EXPECT_TRUE(of_alpha->says("beta: predicted 2.00x, observed 1.60x")) << "its sibling";
}

TEST(TreePolicy, AnIntentIsKeptThroughFiveFailedRealisations) {
  Planted stage([](const Point &point) {
    return point.has("beta") ? Terrain{VerdictKind::wrong, 0, "y differs"} : all_good(point);
  });
  ASSERT_TRUE(stage.grow());
  EXPECT_THAT(stage.titles(), ElementsAre("beta", "beta", "beta", "beta", "beta", "alpha"));
  const auto tries = stage.model.of("translator");
  EXPECT_FALSE(tries[0].says("y differs"));
  EXPECT_TRUE(tries[1].says("y differs")) << "the next try knows how the one before ended";
  EXPECT_TRUE(std::ranges::any_of(stage.model.of("strategist_extend"),
                                  [](const Shown &one) { return one.says("beta: given up, "); }));
}

TEST(TreePolicy, WhatIsRefusedIsNotTriedAgain) {
  Planted stage(all_good);
  auto say = stage.model.script;
  stage.model.script = [say](const Shown &shown) -> std::optional<std::string> {
    if (shown.kind == "translator" && shown.after("title: ") == "beta") return refusal_answer("no loop here");
    return say(shown);
  };
  ASSERT_TRUE(stage.grow());
  EXPECT_THAT(stage.titles(), ElementsAre("beta", "alpha"));
}

TEST(TreePolicy, ASlowerSolutionStaysButComesLater) {
  Planted stage([](const Point &point) {
    if (point.has("beta")) return speed(point.has("delta") ? 3 : 0.7);
    return speed(point.has("alpha") ? 1.1 : 1);
  });
  ASSERT_TRUE(stage.grow());
  EXPECT_THAT(stage.titles(), ElementsAre("beta", "alpha", "delta"))
      << "0.7 * 1.5 is less than 1.2, and is tried all the same";
  EXPECT_NEAR(score(stage.evaluator->best()->verdict), 3, 1e-9);
}

TEST(TreePolicy, NoDeeperThanAskedFor) {
  Planted stage(all_good);
  stage.ground.settings.options.depth = 1;
  ASSERT_TRUE(stage.grow());
  EXPECT_THAT(stage.titles(), Not(Contains("delta")));
}

}  // namespace
}  // namespace cupilot
