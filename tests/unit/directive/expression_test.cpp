// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace directive;
namespace {

const Scope kScope{{"n", std::int64_t{1000}}, {"alpha", 0.5}, {"zero", std::int64_t{0}}};

std::int64_t integer(std::string_view text) {
  auto value = evaluate_integer(text, kScope);
  EXPECT_TRUE(value) << text << ": " << (value ? "" : value.error().message);
  return value.value_or(-999);
}

TEST(Expression, FollowsTheOrderOfCxx) {
  EXPECT_EQ(integer("1 + 2 * 3"), 7);
  EXPECT_EQ(integer("(1 + 2) * 3"), 9);
  EXPECT_EQ(integer("10 - 4 - 3"), 3);
  EXPECT_EQ(integer("1 << 2 + 1"), 8);
  EXPECT_EQ(integer("1 | 2 ^ 3 & 2"), 1);
  EXPECT_EQ(integer("6 & 3 == 3"), 0);
  EXPECT_EQ(integer("1 < 2 == 1"), 1);
  EXPECT_EQ(integer("0 || 1 && 0"), 0);
  EXPECT_EQ(integer("1 ? 2 : 0 ? 3 : 4"), 2);
  EXPECT_EQ(integer("0 ? 2 : 0 ? 3 : 4"), 4);
  EXPECT_EQ(integer("- -3 + ~0 + !5"), 2);
  EXPECT_EQ(integer("-7 / 2"), -3);
  EXPECT_EQ(integer("-7 % 3"), -1);
  EXPECT_EQ(integer("(n + 255) / 256"), 4);
}

TEST(Expression, ReadsTheLiteralsOfCxx) {
  EXPECT_EQ(integer("1'000'000"), 1000000);
  EXPECT_EQ(integer("0xFFu"), 255);
  EXPECT_EQ(integer("0b101"), 5);
  EXPECT_EQ(integer("017"), 15);
  EXPECT_EQ(integer("1ull << 40"), std::int64_t{1} << 40);
  EXPECT_EQ(integer("0x1e+2"), 32);
  EXPECT_EQ(integer("1e6"), 1000000);
  EXPECT_EQ(integer("true + false"), 1);
  const auto half = evaluate_expression("0.5f", kScope);
  ASSERT_TRUE(half);
  EXPECT_EQ(std::get<double>(*half), 0.5);
  EXPECT_EQ(std::get<double>(*evaluate_expression("1.e-3", kScope)), 1e-3);
}

TEST(Expression, KnowsMinAndMax) {
  EXPECT_EQ(integer("min(n, 64)"), 64);
  EXPECT_EQ(integer("max(1, n, 3)"), 1000);
  EXPECT_EQ(std::get<double>(*evaluate_expression("max(1, alpha)", kScope)), 1.0);
}

TEST(Expression, DoesNotEvaluateWhatCxxWouldNot) {
  EXPECT_EQ(integer("zero ? n / zero : 1"), 1);
  EXPECT_EQ(integer("zero && 1 / zero"), 0);
  EXPECT_EQ(integer("n || 1 / zero"), 1);
}

struct BadTerm {
  const char *text;
  std::size_t offset;
  const char *message;
};
class BadExpression : public testing::TestWithParam<BadTerm> {};

TEST_P(BadExpression, IsRefusedAtItsPlace) {
  const auto value = evaluate_expression(GetParam().text, kScope);
  ASSERT_FALSE(value) << GetParam().text;
  EXPECT_EQ(value.error().offset, GetParam().offset);
  EXPECT_THAT(value.error().message, testing::HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadExpression,
    testing::Values(BadTerm{"n + m", 4, "unknown name 'm'"}, BadTerm{"0 && m", 5, "unknown name 'm'"},
                    BadTerm{"n / zero", 2, "division by zero"}, BadTerm{"n % 0", 2, "division by zero"},
                    BadTerm{"9223372036854775807 + 1", 20, "integer overflow in '+'"},
                    BadTerm{"4294967296 * 4294967296", 11, "integer overflow in '*'"},
                    BadTerm{"1 << 63", 2, "integer overflow in '<<'"}, BadTerm{"1 << 64", 2, "shift by 64"},
                    BadTerm{"1 >> -1", 2, "shift by -1"},
                    BadTerm{"(0-9223372036854775807-1) / -1", 26, "overflow"},
                    BadTerm{"9223372036854775808", 0, "does not fit 64 bits"},
                    BadTerm{"12abc", 0, "malformed number"}, BadTerm{"09", 0, "malformed number"},
                    BadTerm{"1.5 % 2", 4, "'%' needs integers"}, BadTerm{"~alpha", 0, "needs an integer"},
                    BadTerm{"1e308 * 10", 6, "out of range"}, BadTerm{"1e999", 0, "out of range"},
                    BadTerm{"", 0, "operand is missing"}, BadTerm{"n +", 3, "operand is missing"},
                    BadTerm{"(n", 2, "expected ')'"}, BadTerm{"n 3", 2, "unexpected '3'"},
                    BadTerm{"n, 3", 1, "unexpected ','"}, BadTerm{"n ? 1", 5, "expected ':'"},
                    BadTerm{"$", 0, "expected a number"}));

TEST(Expression, SurvivesDeepNesting) {
  EXPECT_FALSE(evaluate_expression(std::string(100000, '('), kScope));
  EXPECT_FALSE(evaluate_expression(std::string(100000, '-') + "1", kScope));
  EXPECT_EQ(integer(std::string(50, '(') + "1" + std::string(50, ')')), 1);
  std::string sum = "1";
  for (int i = 1; i < 100000; ++i) sum += " + 1";
  EXPECT_EQ(integer(sum), 100000) << "a long sum is not deep";
}

TEST(Expression, KeepsParenthesesAndPlacesInItsTree) {
  using Kind = Expression::Kind;
  const auto tree = parse_expression("(n + 1) * 2 * -min(n, 3)");
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->kind, Kind::chain);
  ASSERT_EQ(tree->operands.size(), 3u) << "operators of the same precedence are one node";
  EXPECT_EQ(tree->operators[1].offset, 12u);
  EXPECT_EQ(tree->operands[0].kind, Kind::group);
  EXPECT_EQ(tree->operands[2].sign, '-');
  EXPECT_EQ(tree->operands[2].operands[0].kind, Kind::least);
  EXPECT_EQ(tree->operands[2].operands[0].operands[1].offset, 22u);
}

TEST(Expression, AsIntegerNamesTheExpression) {
  const auto half = evaluate_integer("n + alpha", kScope);
  ASSERT_FALSE(half);
  EXPECT_EQ(half.error().message, "'n + alpha' is not an integer");
  EXPECT_EQ(evaluate_integer("n + k", kScope).error().message, "unknown name 'k' at column 5 of 'n + k'");
}

TEST(Expression, ListsItsNamesOnceInOrder) {
  EXPECT_THAT(names_in_expression("b * a + min(b, c) ? d : 0"), testing::ElementsAre("b", "a", "c", "d"));
  EXPECT_THAT(names_in_expression("a / 0"), testing::ElementsAre("a"));
  EXPECT_THAT(names_in_expression("a +"), testing::IsEmpty());
}

}  // namespace
}  // namespace cupilot
