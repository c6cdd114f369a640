// SPDX-License-Identifier: Apache-2.0
//
// Integer and floating expressions of workload clauses: a C++ subset (literals with suffixes and digit
// separators, names, + - * / % << >> & | ^ ~ ! && || comparisons ?: parentheses, min, max) over 64-bit
// integers and doubles. An overflow, a division by zero or an unknown name is an error with its column, never
// a wrapped number.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot {

using Value = std::variant<std::int64_t, double>;
using Scope = std::map<std::string, Value, std::less<>>;

struct ExpressionError {
  std::size_t offset = 0;  ///< bytes into the expression
  std::string message;
};

std::expected<Value, ExpressionError> evaluate_expression(std::string_view text, const Scope &scope);

/// As evaluate_expression, for callers without a place: the message carries the expression. An integral
/// double counts.
Result<std::int64_t> evaluate_integer(std::string_view text, const Scope &scope);

/// The names it mentions, each once, in order; an error when it is no expression.
std::expected<std::vector<std::string>, ExpressionError> parse_expression(std::string_view text);

/// Names the expression mentions, each once, in order; empty when it does not parse.
std::vector<std::string> names_in_expression(std::string_view text);

}  // namespace cupilot
