// SPDX-License-Identifier: Apache-2.0
//
// The format of answers. A model's answer has one fenced block ```json with an object and, where code is
// asked for, one fenced block ```cuda; text around the blocks is ignored. Built-in rules answer with the bare
// object. Anything else (no block, two blocks of a kind, a block without an end, a wrong member) is an error
// that states what was expected.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "annotate/support/result.h"
#include "evolution/model/limits.h"

namespace cupilot::role {

inline constexpr std::size_t kMostAnswerBytes = 1 << 20;  ///< a longer answer is refused

struct AnswerParts {
  std::string json;                 ///< the object's text
  std::optional<std::string> code;  ///< content of the block ```cuda (also ```cpp, ```c++, ```cu)
};

Result<AnswerParts> answer_parts(std::string_view answer);

}  // namespace cupilot::role
