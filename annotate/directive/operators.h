// SPDX-License-Identifier: Apache-2.0
//
// The operators of expressions and their checked arithmetic.

#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "annotate/directive/expression.h"

namespace cupilot::directive {

enum class BinaryKind {
  logical_or,
  logical_and,
  bit_or,
  bit_xor,
  bit_and,
  equal,
  not_equal,
  less_equal,
  greater_equal,
  shift_left,
  shift_right,
  less,
  greater,
  add,
  subtract,
  multiply,
  divide,
  remainder
};

struct BinaryOperator {
  std::string_view spelling;
  int precedence;  ///< as in C++; the larger one binds tighter
  BinaryKind kind;
};

/// The longest operator that the text starts with; nullptr when there is none.
const BinaryOperator *binary_operator_at(std::string_view text);

double as_double(const Value &value);
bool truth(const Value &value);

/// The error is a message: "division by zero", "integer overflow in '*'".
std::expected<Value, std::string> apply(BinaryKind kind, const Value &left, const Value &right);
std::expected<Value, std::string> apply_unary(char op, const Value &value);

}  // namespace cupilot::directive
