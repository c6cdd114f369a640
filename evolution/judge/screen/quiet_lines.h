// SPDX-License-Identifier: Apache-2.0
//
// What of a variant's host code need not be executed to be believed, seen in its text: code that only
// declines the call, and questions whether a call of the runtime failed. The text is one that static_check
// accepts. Pure.

#pragma once

#include <map>
#include <set>
#include <string_view>

namespace cupilot::judge::screen {

struct QuietLines {
  /// Lines with nothing but `return false;` and conditions of it, in launch() or in a function whose results
  /// launch() returns.
  std::set<int> declines;
  /// How many comparisons of a runtime call's result with cudaSuccess are on a line.
  std::map<int, int> status;
  /// The comparison operators of a line: "==", "<", ...
  std::map<int, std::set<std::string_view>> operators;
};

QuietLines quiet_lines(std::string_view text);

}  // namespace cupilot::judge::screen
