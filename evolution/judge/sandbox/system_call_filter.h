// SPDX-License-Identifier: Apache-2.0
//
// A table of rules as a program of the kernel's filter (seccomp, classic BPF), for all threads of a process.

#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <span>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/sandbox/system_call_rules.h"

namespace cupilot {

/// Calls of another architecture (and x32's numbers) end the process; a rule that fits allows or answers;
/// what is left gets `others` (SECCOMP_RET_...).
std::vector<sock_filter> filter_program(std::span<const CallRule> rules, std::uint32_t others);

/// Needs no_new_privs. The descriptor of a listener when `flags` ask for one, else 0; -1: the kernel has no
/// seccomp.
Result<int> install_filter(std::span<const sock_filter> program, unsigned flags);

}  // namespace cupilot
