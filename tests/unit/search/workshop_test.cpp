// SPDX-License-Identifier: Apache-2.0
//
// Order and content of questions from a strategy to an aligned individual: cuPilot's Algorithm 1, line 5 to
// 7, with CuTeGen's repair (arXiv 2512.16465, 2604.01489).

#include "evolution/search/workshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/search/scripted_model.h"

namespace cupilot {
using namespace model;
using namespace provider;
using namespace role;
using namespace search;
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Terrain twice_as_fast(const Point &) {
  return speed(2);
}
Terrain wrong(const std::string &reason) {
  return {VerdictKind::wrong, 0, reason};
}
/// What is mended works.
Terrain wrong_until_mended(const Point &point) {
  return point.has("mended") ? speed(2) : wrong("y differs at 17");
}

WorkOrder order(const std::string &id, const std::string &title, const Evaluated *base = nullptr) {
  return {.strategy = strategy_titled(id, title), .base = base};
}

/// Answers of one kind, one after the other; the last one again and again.
std::function<std::optional<std::string>(const Shown &)> in_turn(const std::string &kind,
                                                                 std::vector<std::string> answers) {
  return [=, next = std::size_t(0)](const Shown &question) mutable -> std::optional<std::string> {
    if (question.kind != kind) return std::nullopt;
    return answers[std::min(next++, answers.size() - 1)];
  };
}

TEST(Workshop, TranslatesAllThenJudgesThemInOneRoundThenAligns) {
  Stage stage(twice_as_fast);
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha"), order("s2", "beta")});
  ASSERT_TRUE(pieces) << pieces.error().message;
  EXPECT_THAT(stage.model.kinds(), ElementsAre("translator", "translator", "aligner", "aligner"));
  EXPECT_THAT(stage.batch_sizes(), ElementsAre(2u));
  ASSERT_THAT(*pieces, SizeIs(2));
  EXPECT_EQ(pieces->at(1).result->individual.variant, "// rules: beta\n");
  EXPECT_EQ(pieces->at(0).fixes, 0);
}

TEST(Workshop, TheTranslatorSeesStrategyAndBase) {
  Stage stage(twice_as_fast);
  const Evaluated *base = stage.judged("// rules: old\n");
  auto asked = order("s1", "alpha", base);
  asked.failed = {"the first try raced"};
  ASSERT_TRUE(stage.workshop->make("first", {asked}));
  const Shown &question = stage.model.shown.at(0);
  EXPECT_TRUE(question.says("title: alpha"));
  EXPECT_TRUE(question.says("// rules: old"));
  EXPECT_TRUE(question.says("2.00"));
  EXPECT_TRUE(question.says("the first try raced"));
  EXPECT_TRUE(question.says("__global__ void k")) << "the original stands in the prefix";
}

TEST(Workshop, AnIndividualSaysWhereItComesFrom) {
  Stage stage(twice_as_fast);
  stage.model.script =
      in_turn("translator", {variant_answer("// rules: alpha\nconstexpr int kWarps = 4;  // knob: 2 4 8\n")});
  auto asked = order("s1", "alpha");
  asked.parents = {"c0007"};
  const auto pieces = stage.workshop->make("first", {asked}).value();
  const Individual &made = pieces.at(0).result->individual;
  EXPECT_THAT(made.strategies, ElementsAre("s1"));
  EXPECT_THAT(made.parents, ElementsAre("c0007"));
  EXPECT_EQ(made.provider, "scripted");
  EXPECT_EQ(made.model, "script 1");
  EXPECT_EQ(describe_knobs(made.knobs), "kWarps=4");
  const auto calls = stage.database->role_calls(stage.run).value();
  ASSERT_THAT(calls, SizeIs(2));
  EXPECT_THAT(made.calls, ElementsAre(calls[0].id, calls[1].id)) << "translator and aligner";
}

TEST(Workshop, WhatSurvivedIsAlignedAndTheDatabaseKnows) {
  Stage stage(twice_as_fast);
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  EXPECT_THAT(pieces.at(0).strategy.steps, ElementsAre("ALIGNED to alpha"));
  EXPECT_EQ(pieces.at(0).strategy.id, "s1");
  EXPECT_THAT(pieces.at(0).result->individual.strategy_text, HasSubstr("ALIGNED to alpha"));
  const auto stored = stage.database->individuals(stage.run).value();
  EXPECT_THAT(stored.at(0).individual.strategy_text,
              AllOf(HasSubstr("ALIGNED to alpha"), HasSubstr("alpha\n")));
}

TEST(Workshop, TheFirstLineOfTheTextIsTheTitle) {
  EXPECT_EQ(split_lines(text_of(strategy_titled("s1", "alpha"))).at(0), "alpha");
}

TEST(Workshop, AlignmentIsAboutTheCodeThatSurvivedRepair) {
  Stage stage(wrong_until_mended);
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  ASSERT_THAT(stage.model.of("aligner"), SizeIs(1));
  EXPECT_TRUE(stage.model.of("aligner")[0].says("// rules: mended"));
  EXPECT_FALSE(stage.model.of("aligner")[0].says("// rules: alpha"));
  EXPECT_THAT(pieces.at(0).strategy.steps, ElementsAre("ALIGNED to mended"));
}

TEST(Workshop, WhatFailedIsDiagnosedThenEditedThenJudgedAgain) {
  Stage stage(wrong_until_mended);
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  EXPECT_THAT(stage.model.kinds(), ElementsAre("translator", "revisor_diagnose", "revisor_edit", "aligner"));
  EXPECT_THAT(stage.batch_sizes(), ElementsAre(1u, 1u));
  EXPECT_EQ(pieces.at(0).fixes, 1);
  EXPECT_THAT(pieces.at(0).failure, IsEmpty());
  const Shown diagnose = stage.model.of("revisor_diagnose")[0], edit = stage.model.of("revisor_edit")[0];
  EXPECT_TRUE(diagnose.says("y differs at 17"));
  EXPECT_TRUE(diagnose.says("// rules: alpha"));
  EXPECT_TRUE(edit.says("it is broken")) << "the diagnosis";
  EXPECT_TRUE(edit.says("1| // rules: alpha")) << "numbered lines";
}

TEST(Workshop, PiecesAreRepairedSideBySide) {
  Stage stage([](const Point &point) {
    if (point.has("good") || point.has("better")) return speed(2);
    return wrong(point.has("alpha") ? "first" : "second");
  });
  stage.model.script =
      in_turn("revisor_edit", {edit_answer("// rules: good"), edit_answer("// rules: better")});
  const auto pieces =
      stage.workshop->make("first", {order("s1", "alpha"), order("s2", "good"), order("s3", "beta")}).value();
  EXPECT_THAT(stage.model.kinds(),
              ElementsAre("translator", "translator", "translator", "revisor_diagnose", "revisor_diagnose",
                          "revisor_edit", "revisor_edit", "aligner", "aligner"));
  EXPECT_EQ(pieces[1].fixes, 0);
  EXPECT_EQ(pieces[2].result->individual.variant, "// rules: better\n");
}

TEST(Workshop, FiveFixesAreTheMost) {
  const std::vector<std::string> words{"zero", "one", "two", "three", "four", "five", "six", "seven"};
  Stage stage([&](const Point &point) { return wrong("mistake " + *point.rules.begin()); });
  std::vector<std::string> edits;
  for (const std::string &word : words) edits.push_back(edit_answer("// rules: " + word));
  stage.model.script = in_turn("revisor_edit", edits);
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  EXPECT_EQ(pieces.at(0).fixes, 5);
  EXPECT_THAT(stage.model.of("revisor_edit"), SizeIs(5));
  EXPECT_THAT(stage.model.of("aligner"), IsEmpty());
  EXPECT_EQ(pieces.at(0).result, nullptr);
  EXPECT_THAT(pieces.at(0).failure, AllOf(HasSubstr("mistake four"), HasSubstr("after 5 fixes")));
}

TEST(Workshop, GivenUpAfterTwoEqualFailures) {
  int differs_at = 100;
  Stage stage([&](const Point &) { return wrong("y differs at " + std::to_string(++differs_at)); });
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  EXPECT_THAT(stage.model.of("revisor_edit"), SizeIs(1));
  EXPECT_THAT(pieces.at(0).failure, HasSubstr("two equal failures"));
}

TEST(Workshop, AFailureThatCameBeforeAnotherIsNotTwoEqualOnes) {
  Stage stage([](const Point &point) { return wrong(point.has("b") ? "other" : "same"); });
  stage.model.script = in_turn(
      "revisor_edit", {edit_answer("// rules: b"), edit_answer("// rules: c"), edit_answer("// rules: d")});
  const auto pieces = stage.workshop->make("first", {order("s1", "a")}).value();
  EXPECT_EQ(pieces.at(0).fixes, 3) << "same, other, same, same";
}

TEST(Workshop, TheNearestFailureIsTold) {
  Stage stage([](const Point &point) {
    return point.has("alpha") ? wrong("nearly right") : Terrain{VerdictKind::build_failed, 0, "no semicolon"};
  });
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  EXPECT_THAT(pieces.at(0).failure, HasSubstr("nearly right"));
  EXPECT_EQ(pieces.at(0).failed_as, VerdictKind::wrong);
}

TEST(Workshop, RanksAreCuTeGens) {
  EXPECT_GT(state_rank(VerdictKind::slower), state_rank(VerdictKind::wrong));
  EXPECT_GT(state_rank(VerdictKind::wrong), state_rank(VerdictKind::build_failed));
  EXPECT_EQ(state_rank(VerdictKind::faster), state_rank(VerdictKind::unsure));
}

TEST(Workshop, ATimeOutIsJudgedAgainWithoutAFix) {
  int left = 3;
  Stage stage(
      [&](const Point &) { return left-- > 0 ? Terrain{VerdictKind::timed_out, 0, "60 s"} : speed(2); });
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  ASSERT_NE(pieces.at(0).result, nullptr) << pieces.at(0).failure;
  EXPECT_THAT(stage.model.kinds(), ElementsAre("translator", "aligner"));
  EXPECT_EQ(pieces.at(0).fixes, 0);
  EXPECT_EQ(trim(pieces.at(0).result->individual.variant), "// rules: alpha");
}

TEST(Workshop, AfterThreeSuchRetriesItIsAFailure) {
  Stage stage([](const Point &point) {
    return point.has("mended") ? speed(2) : Terrain{VerdictKind::timed_out, 0, "60 s"};
  });
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  EXPECT_EQ(stage.ground.judge.verdicts, 1 + 3 + 1);
  EXPECT_EQ(pieces.at(0).fixes, 1);
  EXPECT_TRUE(stage.model.of("revisor_diagnose").at(0).says("1| // rules: alpha"));
  EXPECT_FALSE(stage.model.of("revisor_diagnose").at(0).says("2| ")) << "as it was written";
}

TEST(Workshop, KnobsThatCannotBeReadGoToTheRevisorUnjudged) {
  Stage stage(twice_as_fast);
  stage.model.script =
      in_turn("translator", {variant_answer("// rules: alpha\nconstexpr int kWarps = 3;  // knob: 2 4 8\n")});
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  EXPECT_EQ(stage.ground.judge.verdicts, 0);
  EXPECT_TRUE(stage.model.of("revisor_diagnose").at(0).says("its value 3 is not among the allowed ones"));
  EXPECT_THAT(pieces.at(0).failure, HasSubstr("line 2 of the variant"));
}

TEST(Workshop, EditsThatDoNotFitAreAFailureLikeAnyOther) {
  Stage stage(wrong_until_mended);
  const std::string outside =
      fenced_json({{"cupilot_answer", 1}, {"edits", {{{"edit", "remove"}, {"first", 99}, {"last", 99}}}}});
  stage.model.script = [&](const Shown &question) -> std::optional<std::string> {
    const bool told = question.says("could not be applied");
    if (question.kind == "revisor_diagnose" && told) return diagnosis_answer("there is no line 99");
    if (question.kind == "revisor_edit" && !question.says("no line 99")) return outside;
    return std::nullopt;
  };
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  EXPECT_TRUE(stage.model.of("revisor_diagnose").at(1).says("the edits could not be applied"));
  EXPECT_EQ(pieces.at(0).fixes, 2);
  EXPECT_NE(pieces.at(0).result, nullptr);
}

TEST(Workshop, ARefusalIsNeitherJudgedNorRepaired) {
  Stage stage(twice_as_fast);
  stage.model.script = in_turn("translator", {refusal_answer("rows are too short")});
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  EXPECT_TRUE(pieces.at(0).refused);
  EXPECT_THAT(pieces.at(0).failure, HasSubstr("rows are too short"));
  EXPECT_THAT(stage.model.kinds(), ElementsAre("translator"));
}

TEST(Workshop, AnAnswerThatIsNoneTwiceIsAFailureOfItsPieceAlone) {
  Stage stage(twice_as_fast);
  stage.model.script = [](const Shown &question) -> std::optional<std::string> {
    if (question.kind == "translator" && question.says("title: alpha")) return "I cannot do that";
    return std::nullopt;
  };
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha"), order("s2", "beta")}).value();
  EXPECT_THAT(pieces.at(0).failure, HasSubstr("no usable answer"));
  EXPECT_NE(pieces.at(1).result, nullptr);
}

TEST(Workshop, TheCriticTakesTheDiagnosisPlace) {
  Stage stage(wrong_until_mended);
  stage.set_options({.critic = true});
  stage.model.script = [](const Shown &question) -> std::optional<std::string> {
    if (question.kind == "translator" || question.kind == "aligner" || question.kind == "revisor_edit")
      return std::nullopt;
    return fenced_json(
        {{"cupilot_answer", 1}, {"issue", "one race"}, {"why", "no barrier"}, {"fix", "add it"}});
  };
  ASSERT_TRUE(stage.workshop->make("first", {order("s1", "alpha")}));
  EXPECT_THAT(stage.model.kinds(),
              ElementsAre("translator", testing::Not("revisor_diagnose"), "revisor_edit", "aligner"));
  EXPECT_TRUE(stage.model.of("revisor_edit").at(0).says("one race"));
}

TEST(Workshop, TheSameCodeAgainIsNotAlignedAgain) {
  Stage stage(twice_as_fast);
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha"), order("s2", "alpha")}).value();
  EXPECT_EQ(pieces[0].result, pieces[1].result);
  EXPECT_THAT(stage.model.of("aligner"), SizeIs(1));
  EXPECT_EQ(stage.database->individuals(stage.run)->size(), 1u);
}

TEST(Workshop, WhatWasNotJudgedSaysWhyAndTheRestIsKept) {
  Stage stage(twice_as_fast);
  stage.ground.settings.budget.candidates = 1;
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha"), order("s2", "beta")}).value();
  EXPECT_THAT(pieces[0].strategy.steps, ElementsAre("ALIGNED to alpha"));
  EXPECT_EQ(pieces[1].failure, "not judged: candidate budget spent");
  EXPECT_THAT(stage.workshop->make("next", {order("s3", "gamma")})->at(0).failure,
              HasSubstr("not asked for"));
  EXPECT_THAT(stage.model.of("translator"), SizeIs(2));
}

TEST(Workshop, WhatWasPaidForIsJudgedWhenTheMoneyIsSpent) {
  Stage stage(wrong_until_mended);
  stage.ground.settings.budget.tokens = 25;  // one question at most 20, at cost 10
  stage.set_options({});
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  EXPECT_EQ(stage.ground.judge.verdicts, 1);
  EXPECT_THAT(stage.model.kinds(), ElementsAre("translator"));
  EXPECT_THAT(pieces.at(0).failure, AllOf(HasSubstr("y differs at 17"), HasSubstr("budget")));
}

TEST(Workshop, AStopEndsItBetweenSteps) {
  Stage stage(wrong_until_mended);
  stage.ground.judge.after_verdict = [&](int) { stage.ground.stop = true; };
  const auto pieces = stage.workshop->make("first", {order("s1", "alpha")}).value();
  EXPECT_THAT(stage.model.kinds(), ElementsAre("translator"));
  EXPECT_THAT(pieces.at(0).failure, HasSubstr("interrupted"));
}

TEST(Workshop, OwnQuestionsGetTheirTitleFromTheSummary) {
  Stage stage(twice_as_fast);
  const RoleRequest question{
      .role = "translator", .prefix = "", .prompt = "own words", .prompt_version = "own 1"};
  stage.model.script = in_turn("own", {variant_answer("// rules: x\n", "tiles in shared memory")});
  const auto pieces = stage.workshop->make("first", {{.strategy = {.id = "s1"}}}, {question}).value();
  EXPECT_THAT(stage.model.kinds(), ElementsAre("own")) << "nothing to align";
  EXPECT_EQ(pieces.at(0).strategy.title, "tiles in shared memory");
  EXPECT_THAT(pieces.at(0).result->individual.strategy_text, HasSubstr("tiles in shared memory"));
}

TEST(Workshop, ADigestIsShownFromThePatternsDepthOn) {
  Stage stage(twice_as_fast);
  const Evaluated *base = stage.judged("// rules: old\n");
  const int from = profile_from_depth(stage.workshop->pattern());
  ASSERT_GT(from, 0);
  auto asked = order("s1", "alpha", base);
  asked.depth = from - 1;
  ASSERT_TRUE(stage.workshop->make("early", {asked}));
  EXPECT_THAT(stage.model.of("analyst"), IsEmpty()) << "nobody is asked either";
  asked.strategy = strategy_titled("s2", "beta");
  asked.depth = from;
  ASSERT_TRUE(stage.workshop->make("late", {asked}));
  const auto questions = stage.model.of("translator");
  EXPECT_FALSE(questions[0].says("DIGEST"));
  EXPECT_TRUE(questions[1].says("DIGEST"));
}

TEST(Workshop, WithoutGuidanceThereIsNoDigestAndNoProfile) {
  Stage stage(twice_as_fast);
  stage.set_options({.show_profile = false});
  auto asked = order("s1", "alpha", stage.judged("// rules: old\n"));
  asked.depth = 100;
  stage.judge.batches.clear();
  ASSERT_TRUE(stage.workshop->make("late", {asked}));
  EXPECT_FALSE(stage.model.of("translator").at(0).says("DIGEST"));
  EXPECT_FALSE(stage.judge.batches.at(0).profile);
  EXPECT_TRUE(stage.workshop->analysis_at(100, nullptr)->roofline_class.empty());
}

TEST(Workshop, CountersAreTakenWhenSomebodyWillSeeThem) {
  Stage stage(twice_as_fast);
  const int from = profile_from_depth(stage.workshop->pattern());
  auto asked = order("s1", "alpha");
  ASSERT_TRUE(stage.workshop->make("first", {asked}));
  EXPECT_TRUE(stage.judge.batches.at(0).profile) << "nothing is known of the original yet";
  for (const int depth : {from - 1, from - 2}) {
    if (depth < 0) continue;
    asked.strategy = strategy_titled("s" + std::to_string(depth), "depth" + std::to_string(depth));
    asked.depth = depth;
    stage.judge.batches.clear();
    ASSERT_TRUE(stage.workshop->make("next", {asked}));
    EXPECT_EQ(stage.judge.batches.at(0).profile, depth == from - 1);
  }
}

TEST(Workshop, TheOriginalIsLookedAtAgainOnceThereAreCounters) {
  Stage stage(twice_as_fast);
  stage.judged("// rules: old\n");
  ASSERT_TRUE(stage.workshop->analysis_of(nullptr));
  EXPECT_FALSE(stage.workshop->counted_original());
  stage.judge.change = [](Verdict &verdict) {
    verdict.original_profiles = {
        {.workload = "w", .counters = {{"dram__bytes.sum", 5e6}}, .memory_share = 0.4}};
  };
  ASSERT_TRUE(stage.workshop->make("first", {order("s1", "alpha")}));
  EXPECT_TRUE(stage.judge.batches.back().profile);
  EXPECT_TRUE(stage.workshop->counted_original());
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(stage.workshop->analysis_of(nullptr));
  EXPECT_THAT(stage.model.of("analyst"), SizeIs(2));
}

TEST(Workshop, AnAnalysisIsAskedForOnce) {
  Stage stage(twice_as_fast);
  EXPECT_TRUE(stage.workshop->analysis_of(nullptr)->roofline_class.empty());
  EXPECT_THAT(stage.model.shown, IsEmpty()) << "nothing was judged yet";
  stage.judged("// rules: old\n");
  EXPECT_EQ(stage.workshop->analysis_of(nullptr)->roofline_class, "memory-bound");
  EXPECT_EQ(stage.workshop->analysis_of(nullptr)->roofline_class, "memory-bound");
  EXPECT_THAT(stage.model.shown, SizeIs(1));
}

}  // namespace
}  // namespace cupilot
