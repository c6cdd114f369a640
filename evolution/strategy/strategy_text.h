// SPDX-License-Identifier: Apache-2.0
//
// The text form of a strategy; one file holds one strategy:
//
//   cupilot-strategy 1                first line, the format's version
//   # a comment
//   id: wide-access                   exactly one of: id title effect risk check, at most one of: rule gain
//   class: memory-bound               any number of: class feature arch needs step conflict evidence parent,
//                                     of class and step at least one
//   arch: sm_90                       only sm_90; `sm_80+`: that one and later; `sm_90a`: only where the
//                                     code is compiled for it; no such line: everywhere
//   needs: precision(tf32|half)       as a precondition: only under one of these clauses
//   step: a long line continues
//     on lines that start with a blank
//
// Parsed strictly: an unknown key, a repeated or missing one, and an empty or repeated value are errors with
// their lines.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/diagnostic.h"
#include "annotate/support/result.h"
#include "evolution/model/strategy.h"

namespace cupilot::strategy {

struct ParsedStrategy {
  model::Strategy strategy;
  std::vector<Diagnostic>
      diagnostics;  ///< every problem of the file; `strategy` is valid only if there are no errors
};

/// True if the text has only a-z, 0-9 and '-'. Ids of strategies and words of features have this form.
bool is_strategy_id(std::string_view text);
bool is_roofline_class(std::string_view text);

ParsedStrategy parse_strategy(std::string_view text, const std::string &file);

/// The text form of a strategy; parse_strategy() of it gives an equal strategy. Line breaks inside values
/// become blanks.
std::string to_text(const model::Strategy &strategy);

}  // namespace cupilot::strategy
