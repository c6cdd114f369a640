// SPDX-License-Identifier: Apache-2.0
//
// The tables of the sandbox: system calls that are allowed, with what they may be asked, and the names of
// those that are not, for verdicts. Everything that is not in a table is forbidden.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cupilot {

struct CallRule {
  enum class Check {
    allowed,
    ends,      ///< the process, and the parent is told which call it was
    answered,  ///< not made; the caller gets the error `value`
    without,   ///< allowed when the argument has none of the bits in `value`
    with,      ///< allowed when it has one of them
    not_both,  ///< allowed unless it has all of them
    equal,     ///< allowed when its low word is `value`
    other,     ///< allowed when it is not
    null,      ///< allowed when it is 0
  };
  int number;  ///< SCMP_SYS(...): negative when this architecture has no such call
  Check check = Check::allowed;
  unsigned argument = 0;  ///< from 0
  std::uint32_t value = 0;
};

/// For SandboxRules::device or not; `process` may send signals to itself. A number may have several rules:
/// one that allows the call is enough.
std::vector<CallRule> call_rules(bool device, int process);

/// What becomes of calls that no rule is for: a function that computes has no business with them; a driver is
/// told "not permitted", for it may have a way without. SCMP_ACT_...
std::uint32_t otherwise(bool device);

/// Of forbidden calls: {"socket", "network"}; the name is empty for numbers nobody knows. The first question
/// of a process allocates, later ones do not.
struct CallName {
  int number;
  std::string_view name, what;
};
CallName call_name(int number);
/// Numbers of what even a driver never does: network, programs, processes, signals to others, tracing,
/// changes of the system.
std::vector<int> never_calls();

}  // namespace cupilot
