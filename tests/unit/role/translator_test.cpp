// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/translator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "brief_for_tests.h"

namespace cupilot {
using namespace model;
using namespace provider;
using namespace role;
using namespace spec;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Translator, AsksWithSpecAndStrategies) {
  KernelSpec spec;
  spec.name = "rms_norm";
  spec.slice = "__global__ void k() {} // \"quoted\"\n";
  spec.twin.source = "__global__ void k() {}\n";
  const auto request =
      translator_request({spec, {{.id = "wide-access", .steps = {"one"}, .rule = "wide-access"}}});
  const auto content = nlohmann::json::parse(request.content);
  EXPECT_EQ(request.role, "translator");
  EXPECT_EQ(content.at("cupilot_role"), 1);
  EXPECT_EQ(content.at("spec").at("slice"), spec.slice);
  EXPECT_FALSE(content.at("spec").contains("twin")) << "the judge's";
  EXPECT_EQ(content.at("strategies").at(0).at("rule"), "wide-access");
}

TEST(Translator, ReadsAVariant) {
  const auto answer = parse_translator_answer(
      R"({"cupilot_answer":1,"variant":"text","knobs":[{"name":"kThreads","values":[64,128],"value":128}],"applied":["a"],"summary":"s"})");
  ASSERT_TRUE(answer) << answer.error().message;
  const auto &translation = std::get<Translation>(*answer);
  EXPECT_EQ(translation.variant, "text");
  EXPECT_THAT(translation.applied, ElementsAre("a"));
  ASSERT_EQ(translation.knobs.size(), 1u);
  EXPECT_THAT(translation.knobs[0].values, ElementsAre(64, 128));
}

TEST(Translator, ReadsRefusals) {
  const auto answer = parse_translator_answer(
      R"({"cupilot_answer":1,"refused":[{"rule":"a","reason":"no loop","line":12},{"rule":"b","reason":"x"}]})");
  ASSERT_TRUE(answer);
  const auto &refusals = std::get<std::vector<Refusal>>(*answer);
  EXPECT_EQ(refusals.at(0).line, 12);
  EXPECT_EQ(refusals.at(1).reason, "x");
}

std::string complaint_about_translation(const std::string &content) {
  const auto answer = parse_translator_answer(content);
  return answer ? "accepted" : answer.error().message;
}

TEST(Translator, IsStrict) {
  EXPECT_THAT(complaint_about_translation("here is the code"), HasSubstr("there is no block ```json"));
  EXPECT_THAT(complaint_about_translation("{here is the code}"), HasSubstr("damaged JSON"));
  EXPECT_THAT(complaint_about_translation(R"({"variant":"x"})"), HasSubstr("no member 'cupilot_answer'"));
  EXPECT_THAT(complaint_about_translation(R"({"cupilot_answer":1})"), HasSubstr("variant"));
  EXPECT_THAT(complaint_about_translation(R"({"cupilot_answer":1,"variant":"","knobs":[],"applied":[]})"),
              HasSubstr("'variant' is empty"));
  EXPECT_THAT(complaint_about_translation(R"({"cupilot_answer":1,"refused":[]})"),
              HasSubstr("'refused' is empty"));
  EXPECT_THAT(complaint_about_translation(R"({"cupilot_answer":1,"refused":[{"rule":"a","reason":""}]})"),
              HasSubstr("without a reason"));
  EXPECT_THAT(
      complaint_about_translation(
          R"({"cupilot_answer":1,"variant":"x","applied":[],"knobs":[{"name":"k","values":[1],"value":2}]})"),
      HasSubstr("knob 'k' stands at 2, which it does not allow"));
}

Strategy rows() {
  return {.id = "s0004", .title = "rows in registers", .steps = {"keep the row"}, .risk = "registers"};
}

TEST(Translation, OfTheOriginal) {
  const KernelBrief brief = norm_brief();
  const RoleRequest request = translation_request({.brief = brief, .strategy = rows()});
  EXPECT_EQ(request.role, "translator");
  EXPECT_EQ(request.prompt_version, "translator 1");
  EXPECT_EQ(request.prefix, stable_prefix(brief));
  EXPECT_EQ(request.content, "");
  EXPECT_THAT(request.prompt, HasSubstr("title: rows in registers\nstep 1: keep the row\n"));
  for (const char *part : {"The base is a variant", "by measurement", "Earlier tries", "{{"})
    EXPECT_THAT(request.prompt, Not(HasSubstr(part))) << part;
}

TEST(Translation, OfAVariantWithWhatIsKnown) {
  const KernelBrief brief = norm_brief();
  const std::string prompt = translation_request({.brief = brief,
                                                  .strategy = rows(),
                                                  .base = "__global__ void base() {}",
                                                  .base_score = 1.317,
                                                  .digest = "- It waits.\n",
                                                  .failed = {"build failed: x"}})
                                 .prompt;
  EXPECT_THAT(prompt, HasSubstr("at 1.32x of the original's speed"));
  EXPECT_THAT(prompt, HasSubstr("```cuda\n__global__ void base() {}\n```\n"));
  EXPECT_THAT(prompt,
              HasSubstr("by measurement; secondary evidence, the strategy comes first:\n- It waits.\n"));
  EXPECT_THAT(prompt, HasSubstr("Do not repeat them:\n- build failed: x\n"));
}

TEST(Translation, PrefixIsTheSameForEveryQuestion) {
  const KernelBrief brief = norm_brief();
  EXPECT_EQ(translation_request({.brief = brief, .strategy = rows()}).prefix,
            refine_request({.brief = brief, .depth = 3, .base = "b"}).prefix);
}

TEST(Refine, FirstTheSimplestVariant) {
  const KernelBrief brief = norm_brief();
  const RoleRequest request = refine_request({.brief = brief, .menu = refine_menu(KernelPattern::matmul)});
  EXPECT_EQ(request.role, "translator");
  EXPECT_EQ(request.prompt_version, "refine 1");
  EXPECT_THAT(request.prompt, HasSubstr("the simplest correct variant"));
  EXPECT_THAT(request.prompt, Not(HasSubstr("one optimisation more")));
  EXPECT_THAT(request.prompt, Not(HasSubstr("What usually pays"))) << "no menu before there is a base";
}

TEST(Refine, ThenOneOptimisationAStep) {
  const KernelBrief brief = norm_brief();
  const std::string prompt = refine_request({.brief = brief,
                                             .depth = 4,
                                             .base = "__global__ void base() {}",
                                             .base_score = 0.9,
                                             .best_score = 1.5,
                                             .digest = "- It waits.\n",
                                             .done = {"tiles: 1.50x"},
                                             .menu = refine_menu(KernelPattern::matmul)})
                                 .prompt;
  EXPECT_THAT(prompt, HasSubstr("Step 4."));
  EXPECT_THAT(prompt, HasSubstr("at 0.90x of the original's speed; the\nbest variant so far at 1.50x"));
  EXPECT_THAT(prompt, HasSubstr("exactly *one* optimisation"));
  EXPECT_THAT(prompt, HasSubstr("- tiles: 1.50x\n"));
  EXPECT_THAT(prompt, HasSubstr("- It waits.\n"));
  EXPECT_THAT(prompt, HasSubstr("What usually pays for products of matrices"));
  EXPECT_THAT(prompt, Not(HasSubstr("the simplest correct variant")));
}

TEST(Translator, ReadsAModelsVariant) {
  const auto answer = parse_translator_answer(
      "I keep the row.\n```json\n{\"cupilot_answer\":1,\"applied\":[\"row kept\"],\"summary\":\"one "
      "read\"}\n```\n"
      "```cuda\nconstexpr int kWarps = 8;  // knob: 4 8\n```\n");
  ASSERT_TRUE(answer) << answer.error().message;
  const auto &translation = std::get<Translation>(*answer);
  EXPECT_EQ(translation.variant, "constexpr int kWarps = 8;  // knob: 4 8\n");
  EXPECT_THAT(translation.applied, ElementsAre("row kept"));
  EXPECT_EQ(translation.summary, "one read");
  EXPECT_TRUE(translation.knobs.empty()) << "they stand in the variant";
}

TEST(Translator, AModelMayRefuseWithoutARule) {
  const auto answer = parse_translator_answer(
      "```json\n{\"cupilot_answer\":1,\"refused\":[{\"reason\":\"rows overlap\"}]}\n```");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(std::get<std::vector<Refusal>>(*answer).at(0).reason, "rows overlap");
}

TEST(Translator, EitherAVariantOrARefusal) {
  const std::string code = "```cuda\nint a;\n```\n";
  EXPECT_THAT(complaint_about_translation(
                  "```json\n{\"cupilot_answer\":1,\"refused\":[{\"reason\":\"x\"}]}\n```\n" + code),
              HasSubstr("it refuses and has a block ```cuda"));
  EXPECT_THAT(complaint_about_translation("```json\n{\"cupilot_answer\":1,\"summary\":\"s\"}\n```"),
              HasSubstr("there is no block ```cuda"));
  EXPECT_THAT(complaint_about_translation(
                  "```json\n{\"cupilot_answer\":1,\"summary\":\"s\",\"variant\":\"x\"}\n```\n" + code),
              HasSubstr("'variant' was not asked for"));
  EXPECT_THAT(complaint_about_translation("```json\n{\"cupilot_answer\":1}\n```\n" + code),
              HasSubstr("'summary' is missing"));
}

}  // namespace
}  // namespace cupilot
