// SPDX-License-Identifier: Apache-2.0
//
// The host side of a variant as blocks of code with their lines of variant.cuh, read from the library that is
// built with calls of the recorder in it (evolution/judge/tools/host_listing.h), and what a trace of that
// library means for the text. Pure.

#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "evolution/judge/launches/coverage.h"
#include "evolution/judge/launches/host_trace.h"

namespace cupilot::judge::launches {

/// A place of a condition in the text. `number` tells those of one line apart, in the order of the code.
struct HostPlace {
  std::uint32_t line = 0, number = 0;
  bool status = false;   ///< asks whether a call of the runtime failed
  bool guessed = false;  ///< which way is the true one
};

/// Code without branches.
struct HostBlock {
  std::uint32_t site = 0;
  std::vector<std::uint32_t> lines;
  /// The two blocks that may follow when it ends in a branch that decides between two: where the branch leads
  /// when its condition is true, then when it is false.
  std::vector<std::uint32_t> ways;
  HostPlace place;               ///< of the condition
  std::uint32_t comparison = 0;  ///< site of the comparison that decides; 0: it does not compare numbers
  bool narrow = false;           ///< is_narrow() of how it compares
};

/// A comparison whose outcome is a value: `grid - (n == 160)`.
struct HostValue {
  enum class Operator {
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    below,
    not_above,
    above,
    not_below
  };
  std::uint32_t site = 0;
  Operator is = Operator::equal;
  HostPlace place;
};

/// Whether a comparison asks for one number, or for a range of them: compilers make an unsigned comparison of
/// `n / 64 == 65`.
bool is_narrow(HostValue::Operator is, bool real);

struct HostCode {
  std::vector<HostBlock> blocks;
  std::vector<HostValue> values;
  struct Switch {
    std::uint32_t site = 0;
    HostPlace place;
  };
  std::vector<Switch> switches;
  std::set<std::uint32_t> declines;  ///< lines that do nothing but decline the call
  std::string unknown;               ///< why there is no such code: "no objdump (binutils) in PATH"
};

/// The host side's coverage when `trace` is what the compared runs executed.
Coverage host_coverage(const HostCode &code, const HostTrace &trace);

}  // namespace cupilot::judge::launches
