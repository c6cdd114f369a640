// SPDX-License-Identifier: Apache-2.0
//
// `branches` as PIKE-B has it (arXiv 2511.16964): one branch an idea, and only the best of each is improved.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/search/scripted_model.h"

namespace cupilot {
using namespace model;
using namespace search;
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

/// Two ideas; each is then offered "step1", "step2", ... until a test says otherwise.
struct Branching : Stage {
  explicit Branching(FakeJudge::Landscape landscape) : Stage(std::move(landscape)) {
    model.ideas = {"alpha", "beta"};
    ground.settings.options.branches = 2;
    ground.settings.options.guidance = false;
    model.script = [this](const Shown &shown) -> std::optional<std::string> {
      if (shown.kind == "strategist_extend")
        return strategies_answer(
            {strategy_json("step" + std::to_string(model.of("strategist_extend").size() + 1))});
      if (shown.kind == "revisor_edit") return edit_answer("// rules: still broken beta");
      return std::nullopt;
    };
  }
  std::vector<Shown> translations() const { return model.of("translator"); }
};

double value(const Point &point) {
  double speedup = point.has("alpha") ? 1.5 : point.has("beta") ? 1.2 : 1;
  if (point.has("step1")) speedup *= 0.9;
  if (point.has("step2")) speedup *= 1.3;
  return speedup;
}
Terrain hill(const Point &point) {
  return speed(value(point));
}

TEST(Branches, IdeasAreRealisedTogetherOnTheOriginal) {
  Branching stage(hill);
  ASSERT_TRUE(stage.play(run_branches));
  EXPECT_THAT(stage.batch_sizes()[0], 2u);
  EXPECT_EQ(stage.translations()[0].after("title: "), "alpha");
  EXPECT_EQ(stage.translations()[1].after("title: "), "beta");
  EXPECT_EQ(stage.translations()[1].after("// rules: "), "");
  EXPECT_THAT(stage.model.of("strategist_extend"), SizeIs(2 * (1 + kMostIdlePhases)))
      << "one question for each of two branches in each later phase";
}

TEST(Branches, OnlyTheBestOfEachBranchIsImproved) {
  Branching stage(hill);
  ASSERT_TRUE(stage.play(run_branches));
  const auto all = stage.translations();
  ASSERT_GE(all.size(), 6u);
  EXPECT_EQ(all[2].after("// rules: "), "alpha");
  EXPECT_EQ(all[2].after("title: "), "step1");
  EXPECT_EQ(all[3].after("// rules: "), "beta");
  EXPECT_EQ(all[3].after("title: "), "step2");
  EXPECT_EQ(all[4].after("// rules: "), "alpha") << "step1 made it slower";
  EXPECT_EQ(all[5].after("// rules: "), "beta step2") << "step2 made it faster";
}

TEST(Branches, TheStrategistKnowsWhatDidNotHelp) {
  Branching stage(hill);
  ASSERT_TRUE(stage.play(run_branches));
  const auto questions = stage.model.of("strategist_extend");
  ASSERT_GE(questions.size(), 4u);
  EXPECT_FALSE(questions[0].says("step1"));
  EXPECT_TRUE(questions[2].says("step1: predicted 1.50x, observed 0.90x"));
  EXPECT_FALSE(questions[3].says("step2: predicted")) << "what helped is part of the base";
  EXPECT_TRUE(questions[0].says("at most 1"));
}

TEST(Branches, EndsWhenNoBranchGetsBetter) {
  Branching stage(hill);
  ASSERT_TRUE(stage.play(run_branches));
  // The ideas, the phase with step2, then kMostIdlePhases without a gain; what repeats is not judged again.
  EXPECT_THAT(stage.translations(), SizeIs(2 + 2 + 2 * kMostIdlePhases));
}

TEST(Branches, AnIdeaThatStaysBrokenClosesItsBranch) {
  Branching stage([](const Point &point) {
    return point.has("beta") ? Terrain{VerdictKind::wrong, 0, "y differs"} : hill(point);
  });
  ASSERT_TRUE(stage.play(run_branches));
  int tries = 0;
  for (const Shown &one : stage.translations()) tries += one.after("title: ") == "beta";
  EXPECT_EQ(tries, kMostFirstTries);
  for (const Shown &one : stage.model.of("strategist_extend"))
    EXPECT_FALSE(one.says("title: beta\n")) << "nothing of the branch is there to be improved";
}

TEST(Branches, WhatWasJudgedBeforeIsABranch) {
  Branching stage(hill);
  stage.model.ideas = {"beta"};
  const Evaluated *before = stage.judged("// rules: alpha step2\n");
  ASSERT_NE(before, nullptr);
  ASSERT_TRUE(stage.play_on(run_branches));
  EXPECT_TRUE(stage.model.of("strategist_initial")[0].says("best first: 1 of them"));
  const auto all = stage.translations();
  ASSERT_GE(all.size(), 2u);
  EXPECT_THAT((std::vector{all[0].after("// rules: "), all[1].after("// rules: ")}),
              UnorderedElementsAre("", "alpha step2"))
      << "one branch begins with the idea, one with what was judged";
}

TEST(Branches, WithoutIdeasThereIsNothingToDo) {
  Branching stage(hill);
  stage.model.script = [](const Shown &) { return "I would rather not."; };
  ASSERT_TRUE(stage.play(run_branches));
  EXPECT_THAT(stage.translations(), IsEmpty());
}

}  // namespace
}  // namespace cupilot
