// SPDX-License-Identifier: Apache-2.0
//
// Reads C++ numbers: 1'000, 0x1Fu, 0b101, 017, 1e-5f. The characters of names are defined here too, because a
// number ends where they end.

#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "annotate/directive/expression.h"

namespace cupilot::directive {

// Not <cctype>: a locale must not change what a name is, and char may be negative.
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

/// The length of the preprocessing number that the text starts with. "12abc" is one of five characters; its
/// value is malformed.
std::size_t literal_length(std::string_view text);

/// The error is a message about the literal.
std::expected<Value, std::string> literal_value(std::string_view literal);

}  // namespace cupilot::directive
