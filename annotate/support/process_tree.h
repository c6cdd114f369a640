// SPDX-License-Identifier: Apache-2.0
//
// Reads processes from /proc, for limits that setrlimit cannot set, and ends whole trees of them.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace cupilot {

/// All descendants of `pid` and the members of its process group, without `pid` itself.
std::vector<pid_t> descendants(pid_t pid);
/// Kills a child with all of its descendants, whatever process group they are in. It is still to be waited
/// for.
void kill_tree(pid_t child);
/// Resident anonymous memory in bytes.
std::size_t private_memory(pid_t pid);
/// Number of threads and processes of this user.
std::size_t tasks_of_user();

}  // namespace cupilot
