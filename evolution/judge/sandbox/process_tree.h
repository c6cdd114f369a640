// SPDX-License-Identifier: Apache-2.0
//
// Reads processes from /proc, for limits that setrlimit cannot set.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace cupilot::judge::sandbox {

/// All descendants of `pid` and the members of its process group, without `pid` itself.
std::vector<pid_t> descendants(pid_t pid);
/// Resident anonymous memory in bytes.
std::size_t private_memory(pid_t pid);
/// Number of threads and processes of this user.
std::size_t tasks_of_user();

}  // namespace cupilot::judge::sandbox
