// SPDX-License-Identifier: Apache-2.0
//
// What a name is made of, for those who look at C++ character by character.

#pragma once

#include <cctype>

namespace cupilot {

/// Whether it may stand in a name of C++.
inline bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

}  // namespace cupilot
