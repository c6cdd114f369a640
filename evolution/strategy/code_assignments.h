// SPDX-License-Identifier: Apache-2.0
//
// What statements of a kernel read and write: array elements and assignments, by their words. Types and
// scopes are not known.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evolution/strategy/code_statements.h"

namespace cupilot {

bool has(CodeWords words, std::string_view text);

/// `array[index]`, with the indices of all its dimensions.
struct CodeSubscript {
  std::string array;
  CodeWords index;                    ///< between the first bracket and the last
  std::vector<CodeWords> dimensions;  ///< the same, one by one
};
/// In the order written, those inside of indices too.
std::vector<CodeSubscript> subscripts_of(CodeWords words);

/// `target op= value` and the words before it (conditions, a type).
struct CodeAssignment {
  std::string target, op;  ///< "=", "+=" or "*="
  bool is_subscripted = false;
  CodeWords before, value;
};
/// The first of the statement.
std::optional<CodeAssignment> assignment_of(CodeWords words);
/// All that commas part: two of `int row = i / n, column = i % n`.
std::vector<CodeAssignment> assignments_of(CodeWords words);

}  // namespace cupilot
