// SPDX-License-Identifier: Apache-2.0
//
// What the host side of a variant has executed, as the recorder saw it: places are offsets in the library
// that was built for this purpose (evolution/judge/tools/host_code.h). It comes from a process in which
// hostile code has run: host_code.h gives it a meaning and ignores what no such place is.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cupilot::judge::launches {

/// From one block of code to the one that was executed next in the same call of a function. `from` is 0 for
/// the first one. A block is named by the offset behind its call of the recorder.
struct HostStep {
  std::uint32_t from = 0, to = 0;
};

/// One comparison of two numbers, over all times that it was executed. It is named like a block.
struct HostComparison {
  std::uint32_t site = 0, bytes = 0;
  bool constant = false;  ///< left is a constant of the code
  bool real = false;
  /// Left is less than, equal to, greater than right; as signed numbers, and as unsigned ones.
  bool less = false, equal = false, greater = false, below = false, above = false;
  /// The left or the right number was always the same one; of integers in `left` and `right`, of others in
  /// `real_left` and `real_right`.
  bool left_fixed = true, right_fixed = true;
  std::int64_t left = 0, right = 0;
  double real_left = 0, real_right = 0;
};

/// A `switch`, and which of its labels it has gone to.
struct HostLabel {
  std::int64_t value = 0;
  bool seen = false;
};
struct HostSwitch {
  std::uint32_t site = 0;
  std::vector<HostLabel> labels;
};

struct HostTrace {
  std::vector<HostStep> steps;
  std::vector<HostComparison> comparisons;
  std::vector<HostSwitch> switches;
  std::string unknown;  ///< why the trace says nothing: "the host side does not load ..."; empty: it does
};

}  // namespace cupilot::judge::launches
