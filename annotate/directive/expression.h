// SPDX-License-Identifier: Apache-2.0
//
// The integer and floating expressions of workload clauses and of records. The language is a subset of C++
// (literals with suffixes and digit separators, names, + - * / % << >> & | ^ ~ ! && || comparisons ?:
// parentheses, min, max) over 64-bit integers and doubles. An overflow, a division by zero or an unknown name
// is an error with its column, never a wrapped number.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::directive {

using Value = std::variant<std::int64_t, double>;
using Scope = std::map<std::string, Value, std::less<>>;

struct ExpressionError {
  std::size_t offset = 0;  ///< bytes into the expression
  std::string message;
};

struct BinaryOperator;

/// An expression as a tree. The parentheses of the text are nodes, so a tree is printed without any rule of
/// precedence, and operators of the same precedence are one node, so a long sum does not make a deep tree.
struct Expression {
  enum class Kind { constant, name, group, unary, chain, conditional, least, greatest };
  struct Operator {
    const BinaryOperator *kind = nullptr;
    std::size_t offset = 0;
  };
  Kind kind = Kind::constant;
  std::size_t offset = 0;  ///< where the node begins, in bytes of the text
  Value value;             ///< of a constant
  std::string name;        ///< of a name
  char sign = 0;           ///< of a unary operator: one of - + ! ~
  std::vector<Expression> operands;
  std::vector<Operator> operators;  ///< of a chain, evaluated from the left: one fewer than its operands
};

std::expected<Expression, ExpressionError> parse_expression(std::string_view text);

/// The names an expression mentions, each once, in their order.
std::vector<std::string> names_of(const Expression &expression);

/// As names_of(); the list is empty when the text is no expression.
std::vector<std::string> names_in_expression(std::string_view text);

std::expected<Value, ExpressionError> evaluate_expression(std::string_view text, const Scope &scope);

/// As evaluate_expression(), for callers that have no place to point at: the message contains the expression.
/// A double without a fraction is accepted.
Result<std::int64_t> evaluate_integer(std::string_view text, const Scope &scope);

}  // namespace cupilot::directive
