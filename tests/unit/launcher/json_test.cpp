// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/json.h"

#include <gtest/gtest.h>

namespace cupilot::launcher {
namespace {

TEST(Json, ReadsEveryKindOfValue) {
  const auto json =
      parse_json(R"( {"a": [1, -2.5e3, "x\n\"\u00e9\ud83d\ude00", true, false, null], "b": {"c": {}}} )");
  ASSERT_TRUE(json);
  const auto &a = elements(member(*json, "a"));
  ASSERT_EQ(a.size(), 6u);
  EXPECT_EQ(a[0], 1);
  EXPECT_EQ(a[1], -2.5e3);
  EXPECT_EQ(a[2], "x\n\"\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_EQ(a[3], true);
  EXPECT_EQ(a[4], false);
  EXPECT_TRUE(a[5].is_null());
  EXPECT_TRUE(member(member(*json, "b"), "c").is_object());
}

TEST(Json, WhatIsNotThereIsNull) {
  const auto json = parse_json("[1]");
  EXPECT_TRUE(member(member(*json, "a"), "b").is_null());
  EXPECT_TRUE(elements(member(*json, "a")).empty());
}

TEST(Json, RefusesDamageAndNamesTheLine) {
  for (const char *text :
       {"", "{", "{\"a\"}", "[1,]", "[1 2]", "\"open", "{} x", "nul", "\"\\u12\"", "\"\\ud83d\"", "\"\\"})
    EXPECT_FALSE(parse_json(text)) << text;
  EXPECT_EQ(parse_json("{\n\"a\": 1,\n\"b\": }").error().message, "not valid JSON at line 3");
  EXPECT_FALSE(parse_json(std::string(100000, '['))) << "deep nesting ends in an error, not in a crash";
}

TEST(Json, RefusesWhatTheLibraryWouldAccept) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parse_json(nested(64)));
  EXPECT_EQ(parse_json(nested(65)).error().message, "it is nested too deeply");
  EXPECT_EQ(parse_json(nested(100000)).error().message, "it is nested too deeply");
  EXPECT_TRUE(parse_json(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]})"));
  EXPECT_EQ(parse_json(R"({"a": {"b": 1, "c": 2, "b": 3}})").error().message,
            "it has the member 'b' twice in one object");
}

TEST(Json, KeepsOnlyTheMembersThatAreNeeded) {
  constexpr std::string_view kNeeded[] = {"a", "c"};
  const auto json = parse_json(
      R"({"b": {"a": [1, {"x": 1, "x": 2}]}, "a": {"b": 1}, "b": 3, "c": [{"b": 2}], "d": []})", kNeeded);
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(json->dump(), R"({"a":{"b":1},"c":[{"b":2}]})");
  EXPECT_FALSE(parse_json(R"({"a": 1, "b": 2, "a": 3})", kNeeded));
  EXPECT_FALSE(parse_json(R"({"b": [1, }, "a": 3})", kNeeded)) << "what is not needed must be JSON too";
  EXPECT_FALSE(parse_json("{\"b\": " + std::string(64, '[') + std::string(64, ']') + "}", kNeeded));
}

TEST(Json, BytesThatAreNoTextAreAnError) {
  EXPECT_EQ(parse_json("{\n\"a\": \"\xff\"}").error().message, "not valid JSON at line 2");
  EXPECT_EQ(parse_json(std::string("{\"a\": 1}\0", 9)).error().message, "not valid JSON at line 1");
}

}  // namespace
}  // namespace cupilot::launcher
