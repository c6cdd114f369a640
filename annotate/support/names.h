// SPDX-License-Identifier: Apache-2.0
//
// Which characters C++ names consist of, for code that scans C++ character by character.

#pragma once

#include <cctype>

namespace cupilot {

/// Whether the character may occur in a C++ name.
inline bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

}  // namespace cupilot
