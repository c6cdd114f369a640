// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/strategist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<Strategy> kAsked = {{.id = "a"}, {.id = "b"}};

TEST(Strategist, AsksWithClassAndFeatures) {
  const auto request = strategist_request(
      {.kernel = "k", .features = {"loop"}, .roofline_class = "memory-bound", .strategies = kAsked});
  EXPECT_THAT(request.content, HasSubstr(R"("features":["loop"],"roofline_class":"memory-bound")"));
}

TEST(Strategist, ChoosesInOrder) {
  EXPECT_THAT(parse_strategist_answer(R"({"cupilot_answer":1,"strategies":["b","a"]})", kAsked).value(),
              ElementsAre("b", "a"));
  EXPECT_THAT(parse_strategist_answer(R"({"cupilot_answer":1,"strategies":[]})", kAsked).value(),
              ElementsAre());
}

TEST(Strategist, OnlyAmongWhatWasAsked) {
  EXPECT_THAT(parse_strategist_answer(R"({"cupilot_answer":1,"strategies":["c"]})", kAsked).error().message,
              HasSubstr("'c', which was not asked"));
  EXPECT_THAT(
      parse_strategist_answer(R"({"cupilot_answer":1,"strategies":["a","a"]})", kAsked).error().message,
      HasSubstr("'a' twice"));
}

}  // namespace
}  // namespace cupilot
