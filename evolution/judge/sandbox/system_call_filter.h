// SPDX-License-Identifier: Apache-2.0
//
// A table of rules as a filter of the kernel (seccomp), made by libseccomp, for all threads of a process.

#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "annotate/support/result.h"
#include "evolution/judge/sandbox/system_call_rules.h"

namespace cupilot {

struct FilterRelease {
  void operator()(void *context) const;
};
/// libseccomp's context. Empty: this kernel has no seccomp.
using CallFilter = std::unique_ptr<void, FilterRelease>;

/// Calls of another architecture (and x32's numbers) end the process; of the rules for a call the first one
/// that fits decides; what is left gets `others` (SCMP_ACT_...).
Result<CallFilter> make_filter(std::span<const CallRule> rules, std::uint32_t others);

/// Needs no_new_privs. False: this kernel has no seccomp.
Result<bool> load_filter(const CallFilter &filter);

/// Of a loaded filter whose answer is SCMP_ACT_NOTIFY.
int listener_of(const CallFilter &filter);

}  // namespace cupilot
