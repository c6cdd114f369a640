// SPDX-License-Identifier: Apache-2.0
//
// The tables of the sandbox: system calls that are allowed, with conditions on their arguments, and names of
// forbidden calls for verdicts. Every call that is in no table is forbidden.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cupilot::judge::sandbox {

struct CallRule {
  enum class Check {
    allowed,
    ends,      ///< ends the process, and the parent learns which call it was
    answered,  ///< the call is not made; the caller gets the error `value`
    without,   ///< allowed when the argument has none of the bits in `value`
    with,      ///< allowed when it has one of them
    not_both,  ///< allowed unless it has all of them
    equal,     ///< allowed when its low word is `value`
    other,     ///< allowed when it is not
    null,      ///< allowed when it is 0
  };
  int number;  ///< SCMP_SYS(...): negative when this architecture has no such call
  Check check = Check::allowed;
  unsigned argument = 0;  ///< index of the argument, from 0
  std::uint32_t value = 0;
};

/// The rules with or without SandboxRules::device; `process` may send signals to itself. A number may have
/// several rules: one that allows the call is enough.
std::vector<CallRule> call_rules(bool device, int process);

/// What happens to a call without a rule (SCMP_ACT_...). Without a device the call ends the process. A driver
/// gets the error "not permitted", because it may work without the call.
std::uint32_t otherwise(bool device);

/// Describes a forbidden call: {"socket", "network"}; the name is empty for unknown numbers. The first use in
/// a process allocates, later ones do not.
struct CallName {
  int number;
  std::string_view name, what;
};
CallName call_name(int number);
/// Numbers of calls that even a driver may not make: network, programs, processes, signals to others,
/// tracing, changes of the system.
std::vector<int> never_calls();

}  // namespace cupilot::judge::sandbox
