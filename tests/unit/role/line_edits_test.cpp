// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/role/revisor.h"

namespace cupilot {
using namespace role;
namespace {

using testing::HasSubstr;
using Kind = LineEdit::Kind;

constexpr const char *kText = "one\ntwo\nthree\nfour\n";

std::string edited(const std::vector<LineEdit> &edits, const char *text = kText) {
  const auto result = apply_edits(text, edits);
  return result ? *result : result.error().message;
}

TEST(LineEdits, ReplaceInsertRemove) {
  EXPECT_EQ(edited({{Kind::replace, 2, 3, "TWO\nAND\nTHREE"}}), "one\nTWO\nAND\nTHREE\nfour\n");
  EXPECT_EQ(edited({{Kind::insert, 1, 1, "zero"}}), "zero\none\ntwo\nthree\nfour\n");
  EXPECT_EQ(edited({{Kind::insert, 5, 5, "five"}}), "one\ntwo\nthree\nfour\nfive\n");
  EXPECT_EQ(edited({{Kind::remove, 1, 3, ""}}), "four\n");
  EXPECT_EQ(edited({{Kind::replace, 4, 4, "4\n"}}), "one\ntwo\nthree\n4\n");
  EXPECT_EQ(edited({{Kind::insert, 2, 2, "\n"}}), "one\n\ntwo\nthree\nfour\n");
}

TEST(LineEdits, NumbersAreThoseBeforeAnyEdit) {
  const std::vector<LineEdit> edits{{Kind::insert, 1, 1, "a\nb\nc"},
                                    {Kind::remove, 2, 2, ""},
                                    {Kind::replace, 4, 4, "FOUR"},
                                    {Kind::insert, 3, 3, "before three"}};
  const std::string expected = "a\nb\nc\none\nbefore three\nthree\nFOUR\n";
  EXPECT_EQ(edited(edits), expected);
  EXPECT_EQ(edited({edits[3], edits[2], edits[1], edits[0]}), expected) << "in any order";
}

TEST(LineEdits, NeighboursDoNotTouch) {
  EXPECT_EQ(edited({{Kind::insert, 2, 2, "x"}, {Kind::replace, 2, 2, "TWO"}}), "one\nx\nTWO\nthree\nfour\n");
  EXPECT_EQ(edited({{Kind::insert, 3, 3, "x"}, {Kind::remove, 1, 2, ""}}), "x\nthree\nfour\n");
  EXPECT_EQ(edited({{Kind::replace, 1, 2, "x"}, {Kind::replace, 3, 4, "y"}}), "x\ny\n");
}

TEST(LineEdits, NoLineTwice) {
  EXPECT_THAT(edited({{Kind::replace, 1, 3, "x"}, {Kind::remove, 3, 3, ""}}),
              HasSubstr("the removal of line 3 touches what another edit touches"));
  EXPECT_THAT(edited({{Kind::insert, 2, 2, "x"}, {Kind::replace, 1, 2, "y"}}), HasSubstr("touches"));
  EXPECT_THAT(edited({{Kind::insert, 2, 2, "x"}, {Kind::insert, 2, 2, "y"}}),
              HasSubstr("the insertion before line 2 touches"));
  EXPECT_THAT(edited({{Kind::replace, 2, 2, "x"}, {Kind::replace, 2, 2, "x"}}), HasSubstr("touches"));
  EXPECT_THAT(edited({{Kind::replace, 1, 4, "x"}, {Kind::insert, 2, 2, "y"}, {Kind::remove, 4, 4, ""}}),
              HasSubstr("touches"));
}

TEST(LineEdits, OnlyLinesThatAreThere) {
  EXPECT_THAT(edited({{Kind::replace, 5, 5, "x"}}),
              HasSubstr("the replacement of line 5 is outside the variant, which has 4 lines"));
  EXPECT_THAT(edited({{Kind::remove, 3, 5, ""}}), HasSubstr("the removal of lines 3 to 5 is outside"));
  EXPECT_THAT(edited({{Kind::insert, 6, 6, "x"}}), HasSubstr("the insertion before line 6 is outside"));
  EXPECT_THAT(edited({{Kind::replace, 0, 1, "x"}}), HasSubstr("outside"));
  EXPECT_THAT(edited({{Kind::replace, 3, 2, "x"}}), HasSubstr("outside"));
}

TEST(LineEdits, LeaveAVariantThatIsAnother) {
  EXPECT_THAT(edited({}), HasSubstr("there is no edit"));
  EXPECT_THAT(edited({{Kind::remove, 1, 4, ""}}), HasSubstr("leave nothing"));
  EXPECT_THAT(edited({{Kind::replace, 2, 2, "two"}}), HasSubstr("change nothing"));
  EXPECT_THAT(edited({{Kind::insert, 1, 1, std::string(70'000, 'x')}}),
              HasSubstr("at most 65536 are allowed"));
}

TEST(LineEdits, TextWithoutALastLineEnd) {
  EXPECT_EQ(edited({{Kind::replace, 2, 2, "TWO"}}, "one\ntwo"), "one\nTWO\n");
  EXPECT_EQ(edited({{Kind::insert, 1, 1, "one"}}, ""), "one\n");
  EXPECT_EQ(edited({{Kind::insert, 3, 3, "end"}}, "one\n\n"), "one\n\nend\n");
}

TEST(LineEdits, NumberedAsRolesReadThem) {
  EXPECT_EQ(numbered("a\n\nb"), "   1| a\n   2| \n   3| b\n");
  EXPECT_EQ(numbered(""), "");
}

std::string said(const std::string &edits) {
  const auto parsed = parse_edits("```json\n{\"cupilot_answer\":1,\"edits\":" + edits + "}\n```");
  return parsed ? "accepted" : parsed.error().message;
}

TEST(LineEdits, AreReadStrictly) {
  const auto parsed = parse_edits(
      R"({"cupilot_answer":1,"edits":[{"edit":"replace","first":3,"last":4,"text":"a\nb"},{"edit":"replace","first":9,"text":"c"},{"edit":"insert","first":7,"text":"  d"},{"edit":"remove","first":1,"last":2}]})");
  ASSERT_TRUE(parsed) << parsed.error().message;
  ASSERT_EQ(parsed->size(), 4u);
  EXPECT_EQ((*parsed)[0].text, "a\nb");
  EXPECT_EQ((*parsed)[1].last, 9);
  EXPECT_EQ((*parsed)[2].kind, Kind::insert);
  EXPECT_EQ((*parsed)[2].text, "  d") << "blanks at the begin count";
  EXPECT_EQ((*parsed)[3].kind, Kind::remove);

  EXPECT_THAT(said("[]"), HasSubstr("'edits' has 0 items"));
  EXPECT_THAT(said(R"([{"edit":"delete","first":1}])"),
              HasSubstr("edit 1: 'edit' is 'delete', which is none of"));
  EXPECT_THAT(said(R"([{"edit":"remove","first":1,"text":"x"}])"), HasSubstr("'text' was not asked for"));
  EXPECT_THAT(said(R"([{"edit":"insert","first":1,"last":1,"text":"x"}])"),
              HasSubstr("'last' was not asked for"));
  EXPECT_THAT(said(R"([{"edit":"replace","first":4,"last":3,"text":"x"}])"),
              HasSubstr("'last' is no whole number from 4"));
  EXPECT_THAT(said(R"([{"edit":"replace","first":4}])"), HasSubstr("'text' is missing"));
  EXPECT_THAT(said(R"([{"edit":"replace","first":4,"text":""}])"), HasSubstr("say \"remove\""));
  EXPECT_THAT(said(R"([{"edit":"replace","first":4,"text":"a\u0000"}])"), HasSubstr("control character"));
  EXPECT_THAT(said(R"([{"edit":"remove","first":1},{"edit":"insert","first":2}])"),
              HasSubstr("edit 2: the member 'text'"));
}

}  // namespace
}  // namespace cupilot
