// SPDX-License-Identifier: Apache-2.0
//
// A number with its C++ type, as far as kernels without classes have them, and the arithmetic of C++ on it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "annotate/spec/kernel_spec.h"

namespace cupilot::differential {

using Type = spec::ElementType;
using spec::is_floating;

/// The type of a C++ spelling: "unsigned int", "const float", "size_t"; none of 16 bits that floats.
std::optional<Type> type_of(std::string_view spelling);
std::size_t size_of(Type type);

struct Value {
  Type type = Type::i32;
  std::int64_t integer = 0;  ///< of integers; of u64, the same bits
  double real = 0;           ///< of floating types; of f32, rounded to it

  bool truth() const { return is_floating(type) ? real != 0 : integer != 0; }
  double as_real() const;
};

Value integer_value(Type type, std::int64_t value);
Value real_value(Type type, double value);
Value convert(const Value &value, Type type);
/// The type of both operands of an arithmetic operator, after promotion (C++17, [expr.arith.conv]).
Type common_type(Type left, Type right);
/// No value: an operator that is not known, or a division of integers by zero.
std::optional<Value> binary(std::string_view op, const Value &left, const Value &right);
std::optional<Value> unary(std::string_view op, const Value &operand);
/// C++ spelling of a number: "0x10u", "-1.5f", "INFINITY", "true", "FLT_MAX".
std::optional<Value> literal(std::string_view text);

Value read(Type type, const std::byte *from);
void write(const Value &value, Type type, std::byte *to);

}  // namespace cupilot::differential
