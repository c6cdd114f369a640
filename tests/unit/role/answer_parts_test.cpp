// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/answer_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/judge/screen/static_check.h"

namespace cupilot {
using namespace role;
namespace {

using testing::HasSubstr;

std::string complaint_about_parts(const std::string &answer) {
  const auto parts = answer_parts(answer);
  return parts ? "accepted" : parts.error().message;
}

TEST(AnswerParts, TakesTheBlocksAndIgnoresWords) {
  const auto parts = answer_parts(
      "Let me think.\n```json\n{\"a\": 1}\n```\nNow the code:\n```cuda\n__global__ void k() {}\n```\nDone.");
  ASSERT_TRUE(parts) << parts.error().message;
  EXPECT_EQ(parts->json, "{\"a\": 1}\n");
  EXPECT_EQ(parts->code, "__global__ void k() {}\n");
}

TEST(AnswerParts, CodeHasSeveralNames) {
  for (const char *name : {"cuda", "cpp", "c++", "cu", "CUDA"}) {
    const auto parts = answer_parts("```json\n{}\n```\n```" + std::string(name) + " title=x\nint a;\n```");
    ASSERT_TRUE(parts) << name;
    EXPECT_EQ(parts->code, "int a;\n");
  }
}

TEST(AnswerParts, ABareObjectIsTheAnswerOfRules) {
  const auto parts = answer_parts("  {\"variant\": \"```cuda\\n\"}\n");
  ASSERT_TRUE(parts) << parts.error().message;
  EXPECT_EQ(parts->json, "{\"variant\": \"```cuda\\n\"}");
  EXPECT_FALSE(parts->code);
}

TEST(AnswerParts, OtherBlocksAreWords) {
  const auto parts = answer_parts("```text\n```json is how it ends\n```\n```\nplain\n```\n```json\n{}\n```");
  ASSERT_TRUE(parts) << parts.error().message;
  EXPECT_EQ(parts->json, "{}\n");
}

TEST(AnswerParts, ALongerFenceHoldsShorterOnes) {
  const auto parts = answer_parts("```json\n{}\n```\n````cuda\n// ```\n```\nint a;\n````");
  ASSERT_TRUE(parts) << parts.error().message;
  EXPECT_EQ(parts->code, "// ```\n```\nint a;\n");
}

TEST(AnswerParts, LinesMayEndAsOnOtherSystems) {
  const auto parts = answer_parts("```json\r\n{}\r\n```\r\n```cuda\r\nint a;\r\n```\r\n");
  ASSERT_TRUE(parts) << parts.error().message;
  EXPECT_EQ(parts->code, "int a;\n");
}

TEST(AnswerParts, SaysWhatIsMissing) {
  EXPECT_THAT(complaint_about_parts(""), HasSubstr("the answer is empty"));
  EXPECT_THAT(complaint_about_parts(" \n\t"), HasSubstr("the answer is empty"));
  EXPECT_THAT(complaint_about_parts("I cannot help with that."), HasSubstr("no block ```json"));
  EXPECT_THAT(complaint_about_parts("```cuda\nint a;\n```"), HasSubstr("no block ```json"));
  EXPECT_THAT(complaint_about_parts("x\n```json\n{}"),
              HasSubstr("```json that begins in line 2 of the answer does not end"));
  EXPECT_THAT(complaint_about_parts("```json\n{}\n```\n```cuda\nint a;"),
              HasSubstr("```cuda that begins in line 4"));
}

TEST(AnswerParts, OneOfAKind) {
  EXPECT_THAT(complaint_about_parts("```json\n{}\n```\n```json\n{}\n```"), HasSubstr("two blocks ```json"));
  EXPECT_THAT(complaint_about_parts("```json\n{}\n```\n```cuda\na\n```\n```cpp\nb\n```"),
              HasSubstr("two blocks ```cuda"));
}

TEST(AnswerParts, CodeIsTextOfAVariantsSize) {
  const auto with = [](const std::string &code) { return "```json\n{}\n```\n```cuda\n" + code + "\n```"; };
  EXPECT_THAT(complaint_about_parts(with("")), HasSubstr("the block ```cuda is empty"));
  EXPECT_THAT(complaint_about_parts(with(std::string(70'000, 'x'))), HasSubstr("70001 bytes, at most 65536"));
  EXPECT_THAT(complaint_about_parts(with(std::string("int a;\nint\0b;", 13))),
              HasSubstr("line 2 of the block ```cuda"));
  EXPECT_THAT(complaint_about_parts(with("\x1b[2J")), HasSubstr("control character"));
  EXPECT_THAT(complaint_about_parts(with("// \xe2\x80\xae hidden")), HasSubstr("control character"));
  EXPECT_THAT(complaint_about_parts(with("int a;\n// \xff")),
              HasSubstr("line 2 of the block ```cuda is not UTF-8"));
  EXPECT_EQ(complaint_about_parts(with("\tint a;")), "accepted");
  EXPECT_EQ(complaint_about_parts(with("// \xc3\xbc")), "accepted");
}

/// A stream that broke off anywhere is no answer, and none of its parts is.
TEST(AnswerParts, CutAnywhereItIsRefused) {
  const std::string whole =
      "Words.\n```json\n{\"cupilot_answer\":1,\"summary\":\"s\"}\n```\n```cuda\nint a;\nint b;\n```";
  ASSERT_EQ(complaint_about_parts(whole), "accepted");
  const std::size_t json_ends = whole.find("```\n```cuda") + 3, code_begins = json_ends + 4;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const bool only_json = length >= json_ends && length < code_begins;
    if (only_json)
      EXPECT_FALSE(answer_parts(whole.substr(0, length))->code) << length;
    else
      EXPECT_NE(complaint_about_parts(whole.substr(0, length)), "accepted") << length;
  }
}

TEST(AnswerParts, HugeAnswersAreNotRead) {
  EXPECT_THAT(complaint_about_parts(std::string(5 << 20, '`')), HasSubstr("at most 1048576 are read"));
  EXPECT_THAT(complaint_about_parts(std::string(kMostAnswerBytes, '`')), HasSubstr("does not end"));
  std::string fences;
  while (fences.size() + 4 <= kMostAnswerBytes) fences += "```\n";
  EXPECT_THAT(complaint_about_parts(fences), HasSubstr("no block ```json"));
}

}  // namespace
}  // namespace cupilot
