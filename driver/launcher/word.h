// SPDX-License-Identifier: Apache-2.0
//
// What a name is made of, for those who look at C++ character by character.

#pragma once

#include <cctype>

namespace cupilot::launcher {

/// Whether it may stand in a name of C++.
inline bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

}  // namespace cupilot::launcher
