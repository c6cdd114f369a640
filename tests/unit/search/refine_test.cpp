// SPDX-License-Identifier: Apache-2.0
//
// `refine` step by step as CuTeGen has it (arXiv 2604.01489).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/search/scripted_model.h"

namespace cupilot {
using namespace model;
using namespace role;
using namespace search;
using namespace spec;
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char *kMatmul =
    "__global__ void mm(const float *a, const float *b, float *c, int n) {\n"
    "  int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];\n"
    "  c[i * n + j] = sum;\n}\n";
constexpr const char *kElementwise =
    "__global__ void scale(const float *x, float *y, float a, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i];\n}\n";
constexpr const char *kConvolution =
    "__global__ void conv2d(const float *input, const float *filter, float *out, int c, int h, int w, int r) "
    "{\n"
    "  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
    "  float sum = 0;\n"
    "  for (int ch = 0; ch < c; ++ch)\n"
    "    for (int ky = 0; ky < r; ++ky)\n"
    "      for (int kx = 0; kx < r; ++kx)\n"
    "        sum += input[(ch * h + y + ky) * w + x + kx] * filter[(ch * r + ky) * r + kx];\n"
    "  out[y * w + x] = sum;\n}\n";

/// What the extractor says of these.
CodeFacts facts_about(const std::string &code) {
  CodeFacts facts{.known = true, .stores = true};
  if (code.find("for (") == std::string::npos) return facts;
  facts.has_loop = facts.sums = facts.multiplies = true;
  facts.products = facts.product_depth = 1;
  if (code.find("conv2d") != std::string::npos) facts.named_convolution = true, facts.product_depth = 3;
  return facts;
}

/// The n-th variant asked for has the rules of its base and "step<n>", from 0.
struct Refining : Stage {
  explicit Refining(FakeJudge::Landscape landscape, int depth = 3) : Stage(std::move(landscape)) {
    ground.settings.options.depth = depth;
    this->facts_of = facts_about;
  }
  void original(const char *code) {
    ground.spec.slice = code;
    ground.spec.facts = facts_about(code);
  }
  Result<void> refine() { return play(run_refine); }
  std::vector<std::string> bases() const {
    std::vector<std::string> all;
    for (const Shown &one : model.of("refine")) all.push_back(one.after("// rules: "));
    return all;
  }
};

Terrain always_faster(const Point &) {
  return speed(2);
}

TEST(Refine, OneVariantThenOneStepAfterTheOtherAndNobodyElseIsAsked) {
  Refining stage(always_faster);
  stage.ground.settings.options.guidance = false;
  ASSERT_TRUE(stage.refine());
  EXPECT_THAT(stage.model.kinds(), ElementsAre("refine", "refine", "refine", "refine"));
  EXPECT_THAT(stage.batch_sizes(), ElementsAre(1u, 1u, 1u, 1u));
  EXPECT_THAT(stage.bases(), ElementsAre("", "step0", "step0 step1", "step0 step1 step2"));
}

TEST(Refine, TheFirstIsTheSimplestTheOthersOneOptimisationEach) {
  Refining stage(always_faster, 2);
  ASSERT_TRUE(stage.refine());
  const auto questions = stage.model.of("refine");
  EXPECT_TRUE(questions[0].says("the simplest correct variant"));
  EXPECT_FALSE(questions[0].says("exactly *one* optimisation"));
  EXPECT_TRUE(questions[1].says("exactly *one* optimisation"));
  EXPECT_TRUE(questions[2].says("Step 2"));
}

TEST(Refine, TenStepsUnlessSaidOtherwise) {
  Refining stage(always_faster, PolicySettings().depth);
  ASSERT_TRUE(stage.refine());
  EXPECT_THAT(stage.model.of("refine"), SizeIs(1 + 10));
}

TEST(Refine, GoesOnFromTheLastThatPassedNotFromTheBest) {
  Refining stage([](const Point &point) { return speed(point.rules.size() == 2 ? 3.0 : 0.8); });
  ASSERT_TRUE(stage.refine());
  EXPECT_THAT(stage.bases(), ElementsAre("", "step0", "step0 step1", "step0 step1 step2"));
  EXPECT_EQ(stage.evaluator->best()->individual.variant, "// rules: step0 step1\n") << "kept apart";
  const Shown last = stage.model.of("refine").back();
  EXPECT_TRUE(last.says("0.80"));
  EXPECT_TRUE(last.says("3.00"));
}

TEST(Refine, EachStepHearsWhatTheOnesBeforeGave) {
  Refining stage([](const Point &point) { return speed(point.rules.size() == 1 ? 1.25 : 1.5); });
  stage.model.script = [](const Shown &question) -> std::optional<std::string> {
    if (question.kind == "refine" && question.after("// rules: ").empty())
      return variant_answer("// rules: step0\n", "a plain tile");
    return std::nullopt;
  };
  ASSERT_TRUE(stage.refine());
  EXPECT_TRUE(stage.model.of("refine")[1].says("step 0: a plain tile: 1.00x -> 1.25x"));
  EXPECT_TRUE(stage.model.of("refine")[2].says("step 1: did it: 1.25x -> 1.50x"));
}

/// Right are the first variant and step5.
Terrain right_again_at_five(const Point &point) {
  if (point.has("step5") || point.rules.size() == 1) return speed(2);
  if (point.has("step2")) return {VerdictKind::wrong, 0, "nearly right"};
  return {VerdictKind::build_failed, 0, "no semicolon"};
}

TEST(Refine, ABrokenStepIsWrittenAnewThreeTimesThenLeft) {
  Refining stage(right_again_at_five, 2);
  stage.model.script = [](const Shown &question) -> std::optional<std::string> {
    if (question.kind == "revisor_edit")
      return edit_answer(question.prompt.substr(question.prompt.find("// rules"), 21));
    return std::nullopt;
  };
  ASSERT_TRUE(stage.refine());
  EXPECT_THAT(stage.model.of("refine"), SizeIs(1 + 1 + kMostRegenerations + 1));
  EXPECT_THAT(stage.bases(), ElementsAre("", "step0", "step0", "step0", "step0", "step0"))
      << "all from the last that passed";
  EXPECT_THAT(stage.model.of("revisor_edit"), SizeIs(4)) << "two equal failures each";
}

TEST(Refine, ATryHearsOfTheTriesBeforeAndALaterStepOfTheNearest) {
  Refining stage(right_again_at_five, 2);
  stage.model.script = [](const Shown &question) -> std::optional<std::string> {
    if (question.kind == "revisor_edit")
      return edit_answer(question.prompt.substr(question.prompt.find("// rules"), 21));
    return std::nullopt;
  };
  ASSERT_TRUE(stage.refine());
  const auto questions = stage.model.of("refine");
  EXPECT_TRUE(questions[2].says("step 1, try 1, failed: build_failed: no semicolon"));
  EXPECT_FALSE(questions[5].says("try 1"));
  EXPECT_TRUE(questions[5].says("given up; the nearest it came: wrong: nearly right"));
}

TEST(Refine, RepairComesBeforeWritingAnew) {
  Refining stage([](const Point &point) {
    return point.has("step0") && point.rules.size() > 1 ? Terrain{VerdictKind::wrong, 0, "y differs"}
                                                        : speed(2);
  });
  ASSERT_TRUE(stage.refine());
  EXPECT_THAT(stage.bases(), ElementsAre("", "step0", "mended", "mended step2"));
  EXPECT_THAT(stage.model.of("revisor_edit"), SizeIs(1));
}

TEST(Refine, WithoutAFirstVariantThereIsNothingToRefine) {
  Refining stage([](const Point &) { return Terrain{VerdictKind::wrong, 0, "y differs"}; });
  ASSERT_TRUE(stage.refine());
  EXPECT_THAT(stage.model.of("refine"), SizeIs(1 + kMostRegenerations));
}

TEST(Refine, StopsWhenTheCandidatesAreSpent) {
  Refining stage(always_faster, 10);
  stage.ground.settings.budget.candidates = 2;
  ASSERT_TRUE(stage.refine());
  EXPECT_THAT(stage.model.of("refine"), SizeIs(2));
}

void expect_digest_from(const char *slice, KernelPattern pattern, int from) {
  Refining stage(always_faster, from + 1);
  stage.original(slice);
  ASSERT_TRUE(stage.refine());
  ASSERT_EQ(stage.workshop->pattern(), pattern);
  const auto questions = stage.model.of("refine");
  for (int depth = 0; depth <= from + 1; ++depth)
    EXPECT_EQ(questions[static_cast<std::size_t>(depth)].says("DIGEST"), depth >= from) << depth;
}

TEST(Refine, TheProfileIsShownFromTheClassesDepthOn) {
  expect_digest_from(kMatmul, KernelPattern::matmul, 6);
  expect_digest_from(kConvolution, KernelPattern::convolution, 6);
  expect_digest_from(kElementwise, KernelPattern::elementwise, 2);
}

TEST(Refine, TheMenuIsThatOfThePattern) {
  Refining stage(always_faster, 1);
  stage.original(kMatmul);
  ASSERT_TRUE(stage.refine());
  EXPECT_TRUE(stage.model.of("refine")[1].says(refine_menu(KernelPattern::matmul)));
}

/// Variants with this code below their first line.
std::function<std::optional<std::string>(const Shown &)> with_code(const std::string &code) {
  return [=, made = 0](const Shown &question) mutable -> std::optional<std::string> {
    if (question.kind != "refine") return std::nullopt;
    return variant_answer("// rules: made" + std::to_string(made++) + "\n" + code);
  };
}

TEST(Refine, ADirectConvolutionIsRewrittenBeforeAnythingElse) {
  Refining stage(always_faster, 3);
  stage.original(kConvolution);
  stage.model.script = with_code(kConvolution);
  ASSERT_TRUE(stage.refine());
  std::vector<bool> forced;
  for (const Shown &one : stage.model.of("refine"))
    forced.push_back(one.says("This step must be the structural rewrite"));
  EXPECT_THAT(forced, ElementsAre(false, true, false, false)) << "once it has passed it is done";
}

TEST(Refine, WhatIsNotDirectIsNotForced) {
  Refining stage(always_faster, 2);
  stage.original(kConvolution);
  stage.model.script = with_code(kElementwise);
  ASSERT_TRUE(stage.refine());
  for (const Shown &one : stage.model.of("refine")) EXPECT_FALSE(one.says("must be the structural rewrite"));
}

TEST(Refine, TheDialectIsInTheContract) {
  Refining stage(always_faster, 0);
  stage.ground.settings.options.dialect = "CuTe";
  ASSERT_TRUE(stage.refine());
  EXPECT_TRUE(stage.model.of("refine")[0].says("Write it with CuTe"));
}

TEST(Refine, AnIndividualNamesTheOneItStartedFrom) {
  Refining stage(always_faster, 1);
  ASSERT_TRUE(stage.refine());
  const auto stored = stage.database->individuals(stage.run).value();
  EXPECT_THAT(stored.at(0).individual.parents, IsEmpty());
  EXPECT_THAT(stored.at(1).individual.parents, ElementsAre("c0001"));
  EXPECT_THAT(stored.at(1).individual.strategies, ElementsAre("s0002"));
  EXPECT_THAT(stored.at(1).individual.strategy_text, HasSubstr("did it"));
}

}  // namespace
}  // namespace cupilot
