// SPDX-License-Identifier: Apache-2.0
//
// Looks up names that users type, and suggests similar ones.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/text.h"

namespace cupilot::cli::text {

template <class Range, class Value>
bool contains(const Range &range, const Value &value) {
  return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

/// A text with the known names that are similar to `word`.
inline std::string suggestion(std::string_view word, const std::vector<std::string> &known) {
  return known.empty() ? "there are none" : did_you_mean(word, known);
}

}  // namespace cupilot::cli::text
