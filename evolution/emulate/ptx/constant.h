// SPDX-License-Identifier: Apache-2.0
//
// Constant expressions of PTX: C's operators on 64-bit integers, and signed literals of reals.

#pragma once

#include "evolution/emulate/ptx/lexer.h"

namespace cupilot::emulate::ptx {

struct Constant {
  bool real = false;
  std::uint8_t bits = 64;    ///< of a real: 32 or 64
  std::int64_t integer = 0;  ///< of a real: its bits
  double as_double() const;
};

/// Whether the token in view can begin a constant.
bool begins_constant(const Lexer &lexer);
bool constant(Lexer &lexer, Constant &value);
/// The same, for an integer.
bool integer_constant(Lexer &lexer, std::int64_t &value, std::string_view what);

}  // namespace cupilot::emulate::ptx
