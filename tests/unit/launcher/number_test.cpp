// SPDX-License-Identifier: Apache-2.0
//
// The values of assumptions, as dispatch.cuh uses them; the header needs no CUDA. What they compute is what
// the directives' expressions compute, so each expression is asked of both.
#include "cupilot/number.cuh"

#include <gtest/gtest.h>

#include <climits>

#include "annotate/directive/expression.h"
#include "annotate/directive/operators.h"

namespace cupilot::detail {
using namespace cupilot::directive;
namespace {

const Number n = number_of(12), m = number_of(0), a = number_of(0.5f);
Number c(long long value) {
  return number_of(value);
}

/// "true", "false" or "invalid".
std::string word(const Number &number) {
  return !number.valid() ? "invalid" : number.truth() ? "true" : "false";
}
std::string asked(const std::string &expression) {
  const Scope scope{{"n", std::int64_t{12}}, {"m", std::int64_t{0}}, {"a", 0.5}};
  const auto value = evaluate_expression(expression, scope);
  return !value ? "invalid" : truth(*value) ? "true" : "false";
}

TEST(Number, AgreesWithTheExpressionsOfDirectives) {
  const std::pair<const char *, Number> cases[] = {
      {"n % 4 == 0", n % c(4) == c(0)},
      {"n % 5 == 0", n % c(5) == c(0)},
      {"a > 0", a > c(0)},
      {"a * 2 == 1", a * c(2) == c(1)},
      {"n / m > 0", n / m > c(0)},
      {"a / m > 0", a / m > c(0)},
      {"m != 0 && n % m == 0", m != c(0) && n % m == c(0)},
      {"m == 0 || n % m == 0", m == c(0) || n % m == c(0)},
      {"n % m == 0 || m == 0", n % m == c(0) || m == c(0)},
      {"!(n % m)", !(n % m)},
      {"!m", !m},
      {"1 << 40 > n", (c(1) << c(40)) > n},
      {"1 << 64 > n", (c(1) << c(64)) > n},
      {"n * 9223372036854775807 > 0", n * c(LLONG_MAX) > c(0)},
      {"min(n, a, 3) < 1", least(n, a, c(3)) < c(1)},
      {"max(n, a, 3) >= 12", greatest(n, a, c(3)) >= c(12)},
      {"(m ? n : a) < 1", (m ? n : a) < c(1)},
      {"-n <= ~m", -n <= ~m},
      {"(n & 4) != 0", (n & c(4)) != c(0)},
      {"a & 1", a & c(1)},
      {"a", a},
      {"m", m},
  };
  for (const auto &[expression, number] : cases) EXPECT_EQ(word(number), asked(expression)) << expression;
}

TEST(Number, WhatIsInvalidDoesNotHold) {
  struct Pair {
    int a, b;
  };
  EXPECT_FALSE(number_of(Pair{1, 2}).holds());
  EXPECT_FALSE(number_of(~0ULL).holds());
  EXPECT_FALSE((number_of(1) / number_of(0)).holds());
  EXPECT_FALSE((!(number_of(1) / number_of(0))).holds());
  EXPECT_TRUE(number_of(true).holds());
}

}  // namespace
}  // namespace cupilot::detail
