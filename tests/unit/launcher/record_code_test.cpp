// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/record_code.h"

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
  EXPECT_EQ(code("alpha > .5f"), "cupilot_p2 > ::cupilot::detail::number_of(double(0.5))");
  EXPECT_THAT(code("n < 1'000 && true"), HasSubstr("number_of(1000LL)"));
  EXPECT_EQ(code("min(n, 2)"), "::cupilot::detail::least(cupilot_p1, ::cupilot::detail::number_of(2LL))");
  EXPECT_THAT(condition_parameters("n > 0 && alpha > n", kParameters), testing::ElementsAre(1, 2));
}

TEST(ConditionCode, KeepsOperatorsApart) {
  EXPECT_EQ(code("n>-1 ? n- -n : (n ^ 3)|~n"),
            "cupilot_p1 > -::cupilot::detail::number_of(1LL) ? cupilot_p1 - -cupilot_p1"
            " : (cupilot_p1 ^ ::cupilot::detail::number_of(3LL)) | ~cupilot_p1");
  EXPECT_EQ(code("- -n"), "- -cupilot_p1");
  EXPECT_EQ(code("--n"), "- -cupilot_p1");
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

TEST(LaunchCode, KeepsNamesAndPrintsPlainIntegers) {
  const auto launch = [](const std::string &expression) {
    const auto made = launch_code(expression, kParameters);
    return made ? *made : "refused: " + made.error().message;
  };
  EXPECT_EQ(launch("((n*2)+0xFFu) /1'000"), "((n * 2) + 255) / 1000");
  EXPECT_EQ(launch("min(n, x, 3)"), "min(min(n, x), 3)");
  EXPECT_EQ(launch("n * 1.5"), "refused: 'n * 1.5' has a constant that is not an integer");
  EXPECT_EQ(launch("m"), "refused: 'm' names 'm', which is not a parameter");
  EXPECT_THAT(launch("n n"), HasSubstr("refused: "));
}

TEST(InstantiationCode, TakesEveryArgumentThatClangPrints) {
  for (const std::string text :
       {"k", "k<>", "k<float, 128>", "k<const float *, 4U>", "k<unsigned long>",
        "k<(ns::Mode)2, -1, true, 'a'>", "k<std::array<std::pair<int, float>, 4>::value_type>",
        "k<&ns::f<int>, nullptr>", "k<int (&)[4], int[2]>", "k<void (*)(int, float)>", "k<::half>",
        "k<a<b<int>>>", "outer::k<4>"})
    EXPECT_EQ(instantiation_code(text).value_or("refused"), text);
  EXPECT_EQ(instantiation_code("k < int ,  4 >").value_or("refused"), "k<int, 4>");
}

TEST(InstantiationCode, RefusesWhatIsNoName) {
  for (const std::string bad :
       {"",      "4",        "k;",         "k<",      "k<4",     "k<4>>",    "k<4> x",
        "k<,>",  "k<4,>",    "k<(4>)",     "k<(int>", "k<4)>",   "k<\"x\">", "k<a; b>",
        "k<{}>", "k<a = b>", "k<f() + 1>", "k<12ab>", "k<'\\'>", "k<'>",     "k<a /* */>",
        "k()",   "k[0]",     "::",         "k::",     "k<a::>",  "k<#>",     "k<a\nb>"})
    EXPECT_FALSE(instantiation_code(bad)) << bad;
  EXPECT_FALSE(instantiation_code("k" + std::string(100000, '<'))) << "deep nesting is no crash";
}

TEST(StringLiteral, EscapesWhatWouldEndIt) {
  EXPECT_EQ(string_literal("a.b"), "\"a.b\"");
  EXPECT_EQ(string_literal("a\"b\\c\nd"), "\"a\\\"b\\\\c\\nd\"");
}

TEST(Architecture, IsAVersionWithAnOptionalFeature) {
  EXPECT_EQ(parse_architecture("sm_90").value().number, "90");
  EXPECT_EQ(parse_architecture("sm_120f").value().number, "120");
  EXPECT_EQ(parse_architecture("sm_90a").value().feature, 'a');
  for (const char *bad :
       {"", "90", "sm_", "sm_9", "sm_9000", "sm_9x", "sm_90b", "sm_90aa", "compute_90", "sm_a"})
    EXPECT_FALSE(parse_architecture(bad)) << bad;
}

}  // namespace
}  // namespace cupilot::launcher
