// SPDX-License-Identifier: Apache-2.0
//
// `sce` step by step as cuPilot's Algorithm 1 has it (arXiv 2512.16465): who is asked in which order, what
// each sees, who goes on.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/search/population.h"
#include "tests/fakes/sample_spec.h"
#include "tests/unit/search/scripted_model.h"

namespace cupilot {
using namespace model;
using namespace role;
using namespace search;
using namespace spec;
using namespace strategy;
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

double gain_of(const std::string &rule) {
  if (rule == "alpha") return 1.5;
  if (rule == "beta") return 1.3;
  if (rule == "gamma") return 1.2;
  return rule == "delta" ? 1.1 : 1;
}
Terrain gains_multiply(const Point &point) {
  double speedup = 1;
  for (const std::string &rule : point.rules) speedup *= gain_of(rule);
  return speed(speedup);
}

/// Four ideas, two generations of one epoch: 4 first variants, then 2 children.
struct Small : Stage {
  explicit Small(FakeJudge::Landscape landscape = gains_multiply) : Stage(std::move(landscape)) {
    model.ideas = {"alpha", "beta", "gamma", "delta"};
    ground.settings.options = {.population = 4, .generations = 2, .epochs = 1};
  }
  Result<void> evolve() { return play(run_sce); }
  std::vector<Shown> translations() const { return model.of("translator"); }
};

std::vector<std::string> times(std::size_t count, const std::string &kind) {
  return std::vector<std::string>(count, kind);
}

TEST(Sce, AsksInTheOrderOfTheAlgorithm) {
  Small stage;
  ASSERT_TRUE(stage.evolve());
  std::vector<std::string> expected{"translator", "analyst", "strategist_initial"};
  for (const auto &step : {times(4, "translator"), times(4, "aligner"), times(2, "strategist_crossover"),
                           times(2, "translator"), times(2, "aligner")})
    expected.insert(expected.end(), step.begin(), step.end());
  EXPECT_EQ(stage.model.kinds(), expected);
  EXPECT_THAT(stage.batch_sizes(), ElementsAre(1u, 4u, 2u)) << "the original, first strategies, children";
}

TEST(Sce, TheFirstStrategiesAreRealisedOnTheOriginal) {
  Small stage;
  ASSERT_TRUE(stage.evolve());
  for (std::size_t i = 1; i <= 4; ++i) EXPECT_EQ(stage.translations()[i].after("// rules: "), "");
  EXPECT_EQ(stage.translations()[1].after("title: "), "alpha");
  EXPECT_EQ(stage.translations()[1].after("id: "), "s0002") << "s0001 is the original as a variant";
}

TEST(Sce, TheRooflineClassIsKnownBeforeTheFirstStrategies) {
  Small stage;
  ASSERT_TRUE(stage.evolve());
  EXPECT_TRUE(stage.model.of("strategist_initial").at(0).says("The original is memory-bound"));
}

TEST(Sce, WhereTimesAloneDoNotTellTheClassTheOriginalIsCounted) {
  for (const bool told : {true, false}) {
    Small stage;
    stage.set_options({});
    stage.judged("// rules: warp\n", {"warp"});
    stage.judge.batches.clear();
    stage.model.script = [&](const Shown &question) -> std::optional<std::string> {
      if (question.role != "analyst" || told) return std::nullopt;
      return fenced_json(
          {{"cupilot_answer", 1}, {"roofline_class", ""}, {"digest", {"nobody knows"}}, {"roof_share", 0}});
    };
    ASSERT_TRUE(stage.play_on(run_sce));
    EXPECT_EQ(stage.translations()[0].says("title: the original as a variant"), !told);
    EXPECT_EQ(stage.judge.batches.at(0).profile, true) << "not counted yet";
    EXPECT_EQ(stage.judge.batches.at(0).individuals.size(), told ? 4u : 1u);
  }
}

TEST(Sce, ChildrenAreMadeOfAlignedTextsAndNoCode) {
  Small stage;
  ASSERT_TRUE(stage.evolve());
  const auto crossovers = stage.model.of("strategist_crossover");
  ASSERT_THAT(crossovers, SizeIs(2));
  for (const Shown &question : crossovers) {
    EXPECT_TRUE(question.says("ALIGNED to " + question.after_last("title: ", 1)));
    EXPECT_TRUE(question.says("ALIGNED to " + question.after_last("title: ", 2)));
    EXPECT_FALSE(question.says("// rules:"));
    EXPECT_FALSE(question.says("__global__ void k("));
    EXPECT_FALSE(question.says("```cuda\n//"));
  }
}

TEST(Sce, AChildStartsFromTheBetterParentsCode) {
  Small stage;
  ASSERT_TRUE(stage.evolve());
  const auto crossovers = stage.model.of("strategist_crossover");
  const auto translations = stage.translations();
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string first = crossovers[i].after_last("title: ", 1),
                      second = crossovers[i].after_last("title: ", 2);
    EXPECT_GT(gain_of(first), gain_of(second));
    EXPECT_EQ(translations[5 + i].after("// rules: "), first);
    EXPECT_EQ(translations[5 + i].after("title: "), first + " " + second);
  }
}

TEST(Sce, AChildNamesBothParents) {
  Small stage;
  ASSERT_TRUE(stage.evolve());
  const auto stored = stage.database->individuals(stage.run).value();
  const Individual &child = stored.back().individual;
  EXPECT_THAT(child.parents, SizeIs(2));
  EXPECT_TRUE(stage.translations().back().says("made of: s000"));
  EXPECT_THAT(child.strategy_text, HasSubstr("ALIGNED to")) << "the database keeps the aligned text";
}

TEST(Sce, NoPairIsCrossedTwice) {
  Small stage([](const Point &) { return speed(1.5); });
  stage.ground.settings.options.generations = 3;
  ASSERT_TRUE(stage.evolve());
  std::set<std::string> prompts;
  for (const Shown &one : stage.model.of("strategist_crossover"))
    EXPECT_TRUE(prompts.insert(one.after_last("id: ", 1) + one.after_last("id: ", 2)).second);
  EXPECT_THAT(prompts, SizeIs(4));
}

TEST(Sce, WhatFailedIsRememberedAndShown) {
  Small stage([](const Point &point) {
    return point.has("beta") || point.has("mended")
               ? Terrain{VerdictKind::wrong, 0, "y differs\nint secret_code;"}
               : gains_multiply(point);
  });
  stage.ground.settings.options.epochs = 2;
  ASSERT_TRUE(stage.evolve());
  const Shown crossover = stage.model.of("strategist_crossover").at(0);
  EXPECT_TRUE(crossover.says("\"beta\" on the original: failed, wrong: y differs ..."));
  EXPECT_TRUE(crossover.says("\"alpha\" on the original: faster, 1.50x"));
  EXPECT_FALSE(crossover.says("secret_code"));
  const auto first = stage.model.of("strategist_initial");
  EXPECT_FALSE(first.at(0).says("\"beta\""));
  EXPECT_TRUE(first.at(1).says("\"beta\" on the original: failed"));
}

TEST(Sce, WhatFailedIsNoParent) {
  Small stage([](const Point &point) {
    return point.has("alpha") || point.has("mended") ? Terrain{VerdictKind::wrong, 0, "y differs"}
                                                     : gains_multiply(point);
  });
  ASSERT_TRUE(stage.evolve());
  for (const Shown &one : stage.model.of("strategist_crossover")) {
    EXPECT_NE(one.after_last("title: ", 1), "alpha");
    EXPECT_NE(one.after_last("title: ", 2), "alpha");
  }
}

TEST(Sce, AnEpochRestartsFromTheBestVariants) {
  Small stage;
  stage.ground.settings.options.generations = 1;
  stage.ground.settings.options.epochs = 2;
  ASSERT_TRUE(stage.evolve());
  EXPECT_THAT(stage.model.of("strategist_crossover"), IsEmpty());
  const auto translations = stage.translations();
  ASSERT_THAT(translations, SizeIs(1 + 4 + 4));
  const auto first = stage.model.of("strategist_initial");
  EXPECT_FALSE(first.at(0).says("are added to variants like this one"));
  EXPECT_TRUE(first.at(1).says("which does so already: \"alpha\": ALIGNED to alpha"));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(translations[5 + i].after("// rules: "), i % 2 == 0 ? "alpha" : "beta");
}

TEST(Sce, AsManyEpochsAsAskedFor) {
  for (const std::size_t epochs : {1u, 3u}) {
    int made = 0;  // every variant is a little better than all before: no plateau
    Small stage([&](const Point &) { return speed(1 + 0.2 * ++made); });
    stage.ground.settings.options.epochs = epochs;
    ASSERT_TRUE(stage.evolve());
    EXPECT_THAT(stage.model.of("strategist_initial"), SizeIs(epochs));
  }
}

TEST(Sce, AnEpochThatGainsNothingIsTheLast) {
  Small stage([](const Point &) { return speed(1.5); });
  stage.ground.settings.options.epochs = 5;
  ASSERT_TRUE(stage.evolve());
  EXPECT_THAT(stage.model.of("strategist_initial"), SizeIs(2));
}

TEST(Sce, GenerationsThatGainNothingEndTheEpoch) {
  Small stage([](const Point &) { return speed(1.5); });
  stage.ground.settings.options.generations = 9;
  ASSERT_TRUE(stage.evolve());
  EXPECT_THAT(stage.batch_sizes(), SizeIs(1 + 1 + kFlatGenerations));
}

TEST(Sce, StopsNearTheRoof) {
  for (const double share : {0.88, 0.92}) {
    Small stage([share](const Point &point) {
      Terrain terrain = gains_multiply(point);
      terrain.bandwidth_share = point.has("alpha") ? share : 0.5;
      return terrain;
    });
    ASSERT_TRUE(stage.evolve());
    EXPECT_EQ(stage.model.of("strategist_crossover").empty(), share >= stage.ground.settings.roof_goal);
  }
}

TEST(Sce, StopsWhenTheCandidatesAreSpent) {
  Small stage;
  stage.ground.settings.budget.candidates = 3;
  ASSERT_TRUE(stage.evolve());
  EXPECT_EQ(stage.ground.judge.verdicts, 3);
  EXPECT_THAT(stage.model.of("strategist_crossover"), IsEmpty());
}

TEST(Sce, TooFewToCrossGetNewStrategies) {
  Small stage([](const Point &point) {
    return point.has("alpha") || point.has("epsilon") ? speed(1.5)
                                                      : Terrain{VerdictKind::wrong, 0, "y differs"};
  });
  stage.model.script = [&](const Shown &question) -> std::optional<std::string> {
    if (question.kind == "strategist_initial" && question.says("y differs"))
      return strategies_answer({strategy_json("epsilon")});
    return std::nullopt;
  };
  ASSERT_TRUE(stage.evolve());
  EXPECT_THAT(stage.model.of("strategist_crossover"), IsEmpty());
  EXPECT_EQ(stage.translations().back().after("title: "), "epsilon");
  EXPECT_EQ(stage.translations().back().after("// rules: "), "alpha") << "on the best there is";
}

TEST(Sce, ADigestIsShownFromThePatternsDepthOn) {
  Small stage;
  stage.ground.settings.options.generations = 3;
  ASSERT_TRUE(stage.evolve());
  const auto from = static_cast<std::size_t>(profile_from_depth(stage.workshop->pattern()));
  ASSERT_EQ(from, 2u) << "elementwise";
  EXPECT_FALSE(stage.model.of("strategist_initial").at(0).says("DIGEST"));
  // First strategies, then two generations of two children.
  for (std::size_t i = 0; i < 1 + 4 + 2; ++i) EXPECT_FALSE(stage.translations().at(i).says("DIGEST"));
  for (std::size_t i = 7; i < 9; ++i) EXPECT_TRUE(stage.translations().at(i).says("DIGEST"));
  const auto crossovers = stage.model.of("strategist_crossover");
  ASSERT_THAT(crossovers, SizeIs(4));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(crossovers[i].says("DIGEST"), i >= 2);
}

TEST(Sce, AKernelOfALateClassShowsNoDigestEarly) {
  Small stage;
  stage.ground.spec.slice =
      "__global__ void mm(const float *a, const float *b, float *c, int n) {\n"
      "  int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;\n"
      "  float sum = 0;\n"
      "  for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];\n"
      "  c[i * n + j] = sum;\n}\n";
  stage.ground.spec.facts = {
      .known = true, .has_loop = true, .sums = true, .multiplies = true, .products = 1, .product_depth = 1};
  stage.ground.settings.options.generations = 3;
  ASSERT_TRUE(stage.evolve());
  ASSERT_EQ(stage.workshop->pattern(), KernelPattern::matmul);
  EXPECT_THAT(stage.model.of("strategist_crossover"), testing::Not(IsEmpty()));
  for (const Shown &one : stage.model.shown) EXPECT_FALSE(one.says("DIGEST")) << one.kind;
  EXPECT_TRUE(stage.model.of("strategist_crossover").at(0).says("memory-bound")) << "the class is no profile";
}

TEST(Sce, WithoutGuidanceNobodyHearsOfTheRoofline) {
  Small stage;
  stage.ground.settings.options.guidance = false;
  ASSERT_TRUE(stage.evolve());
  EXPECT_THAT(stage.model.of("analyst"), IsEmpty());
  EXPECT_EQ(stage.model.kinds().front(), "strategist_initial") << "the original need not be looked at";
  for (const Shown &one : stage.model.shown) EXPECT_FALSE(one.says("memory-bound.") || one.says("DIGEST"));
}

TEST(Sce, RetrievedStrategiesAreOfferedUnlessSwitchedOff) {
  for (const bool retrieval : {true, false}) {
    Small stage;
    stage.ground.pool = StrategyPool::of({strategy_titled("wide", "wide words")}).value();
    stage.ground.settings.options.retrieval = retrieval;
    ASSERT_TRUE(stage.evolve());
    EXPECT_EQ(stage.model.of("strategist_initial").at(0).says("title: wide words"), retrieval);
    EXPECT_EQ(stage.model.of("strategist_initial").at(0).says(" 4 of them"), true);
  }
}

TEST(Sce, WithoutAnAnswerTheRetrievedOnesAreTriedAsTheyStand) {
  Small stage;
  stage.ground.pool =
      StrategyPool::of({strategy_titled("p1", "alpha"), strategy_titled("p2", "beta")}).value();
  stage.model.script = [](const Shown &question) -> std::optional<std::string> {
    if (question.kind == "strategist_initial") return "let me think about it";
    return std::nullopt;
  };
  ASSERT_TRUE(stage.evolve());
  std::vector<std::string> titles;
  for (const Shown &one : stage.translations()) titles.push_back(one.after("title: "));
  EXPECT_THAT(titles, testing::IsSupersetOf({"alpha", "beta"}));
}

TEST(Sce, ConflictsOfTheParentsAreShown) {
  Small stage;
  stage.ground.pool = StrategyPool::of({strategy_titled("wide", "wide words")}).value();
  stage.model.script = [](const Shown &question) -> std::optional<std::string> {
    if (question.kind != "strategist_initial") return std::nullopt;
    auto against = strategy_json("beta");
    against["conflicts"] = {"wide"};
    return strategies_answer({strategy_json("alpha", {"wide"}), against});
  };
  ASSERT_TRUE(stage.evolve());
  EXPECT_TRUE(stage.model.of("strategist_crossover")
                  .at(0)
                  .says("s0003 cannot be combined with wide, of which s0002"));
}

TEST(Sce, WhatWasFoundBeforeIsBaseAndParent) {
  Small stage;
  stage.ground.pool = StrategyPool::of({strategy_titled("warp", "a warp a row")}).value();
  stage.set_options({});
  stage.judged("// rules: alpha beta\n", {"warp"});
  ASSERT_TRUE(stage.play_on(run_sce));
  const auto translations = stage.translations();
  EXPECT_EQ(translations[0].after("// rules: "), "alpha beta") << "no look at the original: it was timed";
  EXPECT_EQ(translations[1].after("// rules: "), "") << "in turn with the original";
  bool parent = false;
  for (const Shown &one : stage.model.of("strategist_crossover")) parent |= one.says("title: a warp a row");
  EXPECT_TRUE(parent);
}

TEST(Sce, WhatAnEarlierPolicyMadeSpeaksInItsOwnWords) {
  Small stage;
  stage.set_options({});
  stage.judged("// rules: alpha beta\n", {"b0007"}, text_of(strategy_titled("b0007", "two tiles a block")));
  ASSERT_TRUE(stage.play_on(run_sce));
  bool parent = false;
  for (const Shown &one : stage.model.of("strategist_crossover"))
    parent |= one.says("id: b0007\ntitle: two tiles a block\nstep 1: do two tiles a block");
  EXPECT_TRUE(parent);
}

TEST(Sce, CodeCrossoverShowsBothCodesAndAsksNoStrategist) {
  Small stage;
  stage.ground.settings.options.code_crossover = true;
  ASSERT_TRUE(stage.evolve());
  EXPECT_THAT(stage.model.of("strategist_crossover"), IsEmpty());
  const auto translations = stage.translations();
  ASSERT_THAT(translations, SizeIs(1 + 4 + 2));
  const std::string first = translations[5].after_last("// rules: ", 1),
                    second = translations[5].after_last("// rules: ", 2);
  EXPECT_GT(gain_of(first), gain_of(second));
  EXPECT_NE(gain_of(second), 1);
}

TEST(Sce, ACrossoverWithoutAnAnswerHasNoChild) {
  Small stage;
  int asked = 0;
  stage.model.script = [&](const Shown &question) -> std::optional<std::string> {
    if (question.kind == "strategist_crossover" && ++asked != 2) return "no";
    return std::nullopt;
  };
  ASSERT_TRUE(stage.evolve());
  EXPECT_THAT(stage.batch_sizes(), ElementsAre(1u, 4u, 1u));
}

TEST(Sce, TheSameAnswersMakeTheSameRun) {
  std::vector<std::string> prompts[2];
  for (auto &all : prompts) {
    Small stage;
    stage.ground.settings.options = {.population = 5, .generations = 3, .epochs = 2};
    ASSERT_TRUE(stage.evolve());
    for (const Shown &one : stage.model.shown) all.push_back(one.text());
  }
  EXPECT_EQ(prompts[0], prompts[1]);
}

TEST(Sce, NothingOfAHoldOutIsInAnyPrompt) {
  for (const char *policy_name : {"sce", "refine"}) {
    Stage stage(gains_multiply);
    stage.model.ideas = {"alpha", "beta", "gamma"};
    stage.ground.spec = fake::scale_spec();
    Workload unseen = stage.ground.spec.workloads[0];
    unseen.id = "nobody-knows";
    unseen.holdout = true;
    unseen.set = {{"rows", "73"}, {"cols", "4391"}, {"a", "0.625f"}};
    stage.ground.spec.workloads.push_back(unseen);
    stage.ground.settings.policy = policy_name;
    stage.ground.settings.options = {.population = 3, .generations = 3, .epochs = 2, .depth = 4};
    stage.ground.model = &stage.model;
    const auto outcome = stage.ground.run();
    ASSERT_TRUE(outcome) << outcome.error().message;
    ASSERT_THAT(stage.model.shown, testing::Not(IsEmpty()));
    for (const Shown &one : stage.model.shown)
      for (const char *secret :
           {"nobody-knows", "4391", "0.625", "unseen", std::to_string(73 * 4391).c_str()})
        EXPECT_FALSE(one.says(secret)) << secret << " in " << one.kind;
    EXPECT_TRUE(stage.model.shown.front().says("rows = 64"));
  }
}

TEST(Sce, AResumedRunAsksNothingTwice) {
  Small stage;
  stage.ground.settings.policy = "sce";
  stage.ground.model = &stage.model;
  ASSERT_TRUE(stage.ground.run());
  const std::size_t asked = stage.model.shown.size();
  const int judged = stage.ground.judge.verdicts;
  const auto again = stage.ground.run();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(stage.model.shown.size(), asked);
  EXPECT_EQ(stage.ground.judge.verdicts, judged);
}

TEST(ShortHistory, KeepsTheLatestAfterEarlierRuns) {
  ShortHistory history;
  for (std::size_t i = 0; i < kMostRemembered + 3; ++i) history.add("line " + std::to_string(i));
  const Experience all = history.after({"earlier"});
  EXPECT_EQ(all.front(), "earlier");
  EXPECT_EQ(all[1], "line 3");
  EXPECT_THAT(all, SizeIs(kMostRemembered + 1));
}

}  // namespace
}  // namespace cupilot
