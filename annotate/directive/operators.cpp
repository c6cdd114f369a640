// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/operators.h"

#include <cmath>
#include <limits>
#include <optional>

namespace cupilot::directive {
namespace {

using enum BinaryKind;
using Outcome = std::expected<Value, std::string>;

// A spelling stands before every other one that it begins with.
constexpr BinaryOperator kOperators[] = {
    {"||", 0, logical_or}, {"&&", 1, logical_and}, {"==", 5, equal},
    {"!=", 5, not_equal},  {"<=", 6, less_equal},  {">=", 6, greater_equal},
    {"<<", 7, shift_left}, {">>", 7, shift_right}, {"|", 2, bit_or},
    {"^", 3, bit_xor},     {"&", 4, bit_and},      {"<", 6, less},
    {">", 6, greater},     {"+", 8, add},          {"-", 8, subtract},
    {"*", 9, multiply},    {"/", 9, divide},       {"%", 9, remainder},
};

std::string_view spelling_of(BinaryKind kind) {
  for (const BinaryOperator &op : kOperators)
    if (op.kind == kind) return op.spelling;
  return "?";
}

std::unexpected<std::string> overflow(std::string_view op) {
  return std::unexpected("integer overflow in '" + std::string(op) + "'");
}

/// Comparisons and logical operators, which are the same for integers and doubles.
template <class T>
std::optional<bool> compare(BinaryKind kind, T a, T b) {
  switch (kind) {
    case logical_or:
      return a != 0 || b != 0;
    case logical_and:
      return a != 0 && b != 0;
    case equal:
      return a == b;
    case not_equal:
      return a != b;
    case less:
      return a < b;
    case greater:
      return a > b;
    case less_equal:
      return a <= b;
    case greater_equal:
      return a >= b;
    default:
      return std::nullopt;
  }
}

Outcome shift(BinaryKind kind, std::int64_t a, std::int64_t b) {
  if (b < 0 || b > 63) return std::unexpected("shift by " + std::to_string(b) + " bits");
  if (kind == shift_right) return a >> b;
  std::int64_t result = 0;
  if (b == 63 ? a != 0 : __builtin_mul_overflow(a, std::int64_t{1} << b, &result)) return overflow("<<");
  return result;
}

Outcome integers(BinaryKind kind, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  bool overflowed = false;
  switch (kind) {
    case bit_or:
      return a | b;
    case bit_xor:
      return a ^ b;
    case bit_and:
      return a & b;
    case shift_left:
    case shift_right:
      return shift(kind, a, b);
    case add:
      overflowed = __builtin_add_overflow(a, b, &result);
      break;
    case subtract:
      overflowed = __builtin_sub_overflow(a, b, &result);
      break;
    case multiply:
      overflowed = __builtin_mul_overflow(a, b, &result);
      break;
    default:
      if (b == 0) return std::unexpected("division by zero");
      overflowed = b == -1 && a == std::numeric_limits<std::int64_t>::min();
      if (!overflowed) result = kind == divide ? a / b : a % b;
  }
  if (overflowed) return overflow(spelling_of(kind));
  return result;
}

Outcome floats(BinaryKind kind, double a, double b) {
  double result = 0;
  switch (kind) {
    case add:
      result = a + b;
      break;
    case subtract:
      result = a - b;
      break;
    case multiply:
      result = a * b;
      break;
    case divide:
      if (b == 0) return std::unexpected("division by zero");
      result = a / b;
      break;
    default:
      return std::unexpected("'" + std::string(spelling_of(kind)) + "' needs integers");
  }
  if (!std::isfinite(result))
    return std::unexpected("the result of '" + std::string(spelling_of(kind)) +
                           "' is out of range of double");
  return result;
}

}  // namespace

const BinaryOperator *binary_operator_at(std::string_view text) {
  for (const BinaryOperator &op : kOperators)
    if (text.starts_with(op.spelling)) return &op;
  return nullptr;
}

double as_double(const Value &value) {
  if (const auto *integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  return std::get<double>(value);
}

bool truth(const Value &value) {
  return as_double(value) != 0;
}

Outcome apply(BinaryKind kind, const Value &left, const Value &right) {
  const auto *a = std::get_if<std::int64_t>(&left), *b = std::get_if<std::int64_t>(&right);
  const bool exact = a && b;
  const auto answer = exact ? compare(kind, *a, *b) : compare(kind, as_double(left), as_double(right));
  if (answer) return std::int64_t{*answer};
  return exact ? integers(kind, *a, *b) : floats(kind, as_double(left), as_double(right));
}

Outcome apply_unary(char op, const Value &value) {
  if (op == '!') return std::int64_t{!truth(value)};
  if (op == '+') return value;
  if (const auto *integer = std::get_if<std::int64_t>(&value)) {
    if (op == '~') return ~*integer;
    if (*integer == std::numeric_limits<std::int64_t>::min()) return overflow("-");
    return -*integer;
  }
  if (op == '~') return std::unexpected("'~' needs an integer");
  return -std::get<double>(value);
}

}  // namespace cupilot::directive
