// SPDX-License-Identifier: Apache-2.0
//
// Membership and "did you mean", for names people type.

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "annotate/support/text.h"

namespace cupilot::cli {

template <class Range, class Value>
bool contains(const Range &range, const Value &value) {
  return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

/// "did you mean 'x'?" when a known name is near, else "there are: a, b", else "there are none".
inline std::string did_you_mean(const std::string &word, const std::vector<std::string> &known) {
  if (const auto near = closest(word, known); !near.empty()) return "did you mean '" + near + "'?";
  return known.empty() ? "there are none" : "there are: " + join(known, ", ");
}

}  // namespace cupilot::cli
