// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/translator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace cupilot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Translator, AsksWithSpecAndStrategies) {
  KernelSpec spec;
  spec.name = "rms_norm";
  spec.slice = "__global__ void k() {} // \"quoted\"\n";
  const auto request =
      translator_request({spec, {{.id = "wide-access", .steps = {"one"}, .rule = "wide-access"}}});
  const auto content = nlohmann::json::parse(request.content);
  EXPECT_EQ(request.role, "translator");
  EXPECT_EQ(content.at("cupilot_role"), 1);
  EXPECT_EQ(content.at("spec").at("slice"), spec.slice);
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

std::string complaint(const std::string &content) {
  const auto answer = parse_translator_answer(content);
  return answer ? "accepted" : answer.error().message;
}

TEST(Translator, IsStrict) {
  EXPECT_THAT(complaint("here is the code"), HasSubstr("there is no block ```json"));
  EXPECT_THAT(complaint("{here is the code}"), HasSubstr("damaged JSON"));
  EXPECT_THAT(complaint(R"({"variant":"x"})"), HasSubstr("no member 'cupilot_answer'"));
  EXPECT_THAT(complaint(R"({"cupilot_answer":1})"), HasSubstr("variant"));
  EXPECT_THAT(complaint(R"({"cupilot_answer":1,"variant":"","knobs":[],"applied":[]})"),
              HasSubstr("'variant' is empty"));
  EXPECT_THAT(complaint(R"({"cupilot_answer":1,"refused":[]})"), HasSubstr("'refused' is empty"));
  EXPECT_THAT(complaint(R"({"cupilot_answer":1,"refused":[{"rule":"a","reason":""}]})"),
              HasSubstr("without a reason"));
  EXPECT_THAT(
      complaint(
          R"({"cupilot_answer":1,"variant":"x","applied":[],"knobs":[{"name":"k","values":[1],"value":2}]})"),
      HasSubstr("knob 'k' stands at 2, which it does not allow"));
}

}  // namespace
}  // namespace cupilot
