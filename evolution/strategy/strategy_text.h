// SPDX-License-Identifier: Apache-2.0
//
// The text form of a strategy, one file each:
//
//   cupilot-strategy 1                first line, the format's version
//   # a comment
//   id: wide-access                   exactly one of: id title effect risk check, at most one of: rule gain
//   class: memory-bound               any number of: class feature arch needs step conflict evidence parent,
//                                     of class and step at least one
//   arch: sm_90                       only there; `sm_80+` there and later; `sm_90a` only where the code is
//                                     compiled for it; none: everywhere
//   needs: precision(tf32|half)       in a precondition: only under one of these clauses
//   step: a long line goes on
//     in lines that start with a blank
//
// Read strictly: an unknown or repeated key, a missing one, an empty or repeated value is an error with its
// line.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/diagnostic.h"
#include "annotate/support/result.h"
#include "evolution/model/strategy.h"

namespace cupilot {

struct ParsedStrategy {
  Strategy strategy;
  std::vector<Diagnostic>
      diagnostics;  ///< every problem of the file; the strategy counts only without errors
};

/// a-z, 0-9 and '-': ids of strategies, and words of features.
bool is_strategy_id(std::string_view text);
bool is_roofline_class(std::string_view text);

ParsedStrategy parse_strategy(std::string_view text, const std::string &file);

/// The same form again; parse_strategy gives back an equal strategy. Line breaks inside values become blanks.
std::string to_text(const Strategy &strategy);

}  // namespace cupilot
