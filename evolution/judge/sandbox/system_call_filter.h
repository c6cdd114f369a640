// SPDX-License-Identifier: Apache-2.0
//
// Makes a seccomp filter from a table of rules, with libseccomp. It applies to all threads of the process.

#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "annotate/support/result.h"
#include "evolution/judge/sandbox/system_call_rules.h"

namespace cupilot::judge::sandbox {

struct FilterRelease {
  void operator()(void *context) const;
};
/// libseccomp's context. Empty: this kernel has no seccomp.
using CallFilter = std::unique_ptr<void, FilterRelease>;

/// Makes the filter. Calls of another architecture (and x32's numbers) end the process. Of the rules for a
/// call the first that fits decides; calls without a fitting rule get `others` (SCMP_ACT_...).
Result<CallFilter> make_filter(std::span<const CallRule> rules, std::uint32_t others);

/// Needs no_new_privs. False: this kernel has no seccomp.
Result<bool> load_filter(const CallFilter &filter);

/// Whether this kernel has seccomp's filters.
bool has_filters();

/// The listener's descriptor of a loaded filter that answers SCMP_ACT_NOTIFY.
int listener_of(const CallFilter &filter);

}  // namespace cupilot::judge::sandbox
