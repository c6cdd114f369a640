// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/condition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot::launcher {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kParameters = {"x", "n", "alpha"};

std::string code(const std::string &expression) {
  const auto made = condition_code(expression, kParameters);
  return made ? *made : "refused: " + made.error().message;
}

TEST(ConditionCode, NamesParametersAndTypesConstants) {
  EXPECT_EQ(code("n%4==0"),
            "cupilot_p1 % ::cupilot::detail::number_of(4LL) == ::cupilot::detail::number_of(0LL)");
  EXPECT_EQ(code("alpha > .5f"), "cupilot_p2  >  ::cupilot::detail::number_of(double(0.5))");
  EXPECT_THAT(code("n < 1'000 && true"), HasSubstr("number_of(1000LL)"));
  EXPECT_EQ(code("min(n, 2)"), "::cupilot::detail::least(cupilot_p1, ::cupilot::detail::number_of(2LL))");
  EXPECT_THAT(condition_parameters("n > 0 && alpha > n", kParameters), testing::ElementsAre(1, 2));
}

TEST(ConditionCode, KeepsOperatorsApart) {
  EXPECT_EQ(code("- -n"), " -   - cupilot_p1");
  EXPECT_EQ(code("--n"), " -  - cupilot_p1");
}

TEST(ConditionCode, RefusesWhatIsNoExpressionOverParameters) {
  for (const std::string bad : {"",
                                "n >",
                                "n; system(\"x\")",
                                "n /* */ > 0",
                                "n // 3",
                                "m > 0",
                                "n = 3",
                                "n()",
                                "(n > 0",
                                "n > 0)",
                                "sizeof n",
                                "n\n#include \"/etc/passwd\"",
                                "\"n\"",
                                "n[0]",
                                "x->y",
                                "n ? 1",
                                "0x",
                                "'a'",
                                "::n",
                                "n > 99999999999999999999"})
    EXPECT_THAT(code(bad), HasSubstr("refused: '")) << bad;
}

}  // namespace
}  // namespace cupilot::launcher
