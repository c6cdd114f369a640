// SPDX-License-Identifier: Apache-2.0
//
// How answers look. A model's answer has one fenced block ```json with an object and, where code is asked
// for, one fenced block ```cuda; words around them are ignored. Built-in rules answer with the bare object.
// Anything else (no block, two of a kind, a block that does not end, a wrong member) is an error that says
// what was expected.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "annotate/support/result.h"
#include "evolution/model/limits.h"

namespace cupilot {

inline constexpr std::size_t kMostAnswerBytes = 1 << 20;  ///< of an answer that is read at all

struct AnswerParts {
  std::string json;                 ///< the object's text
  std::optional<std::string> code;  ///< of ```cuda (also ```cpp, ```c++, ```cu)
};

Result<AnswerParts> answer_parts(std::string_view answer);

}  // namespace cupilot
