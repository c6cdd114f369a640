// SPDX-License-Identifier: Apache-2.0
//
// What /proc says of processes: for limits that setrlimit cannot set.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace cupilot {

/// Children and their children, and members of its process group, without `pid` itself.
std::vector<pid_t> descendants(pid_t pid);
/// Resident anonymous memory.
std::size_t private_memory(pid_t pid);
/// Threads and processes of this user.
std::size_t tasks_of_user();

}  // namespace cupilot
