// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/json.h"

#include <gtest/gtest.h>

namespace cupilot::launcher {
namespace {

TEST(Json, ReadsEveryKindOfValue) {
  const auto json =
      Json::parse(R"( {"a": [1, -2.5e3, "x\n\"\u00e9\ud83d\ude00", true, false, null], "b": {"c": {}}} )");
  ASSERT_TRUE(json);
  const auto &a = (*json)["a"].elements();
  ASSERT_EQ(a.size(), 6u);
  EXPECT_EQ(a[0].text(), "1");
  EXPECT_EQ(a[1].text(), "-2.5e3");
  EXPECT_EQ(a[2].text(), "x\n\"\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_TRUE(a[3].truth());
  EXPECT_FALSE(a[4].truth());
  EXPECT_TRUE(a[5].is(Json::Kind::null));
  EXPECT_TRUE((*json)["b"]["c"].is(Json::Kind::object));
}

TEST(Json, WhatIsNotThereIsNull) {
  const auto json = Json::parse("[1]");
  EXPECT_TRUE((*json)["a"]["b"].is(Json::Kind::null));
  EXPECT_TRUE((*json)["a"].elements().empty());
}

TEST(Json, RefusesDamageAndNamesTheLine) {
  for (const char *text :
       {"", "{", "{\"a\"}", "[1,]", "[1 2]", "\"open", "{} x", "nul", "\"\\u12\"", "\"\\ud83d\"", "\"\\"})
    EXPECT_FALSE(Json::parse(text)) << text;
  EXPECT_EQ(Json::parse("{\n\"a\": 1,\n\"b\": }").error().message, "not valid JSON at line 3");
  EXPECT_FALSE(Json::parse(std::string(100000, '['))) << "deep nesting ends in an error, not in a crash";
}

}  // namespace
}  // namespace cupilot::launcher
