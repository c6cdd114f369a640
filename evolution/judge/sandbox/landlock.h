// SPDX-License-Identifier: Apache-2.0
//
// Restricts which files a process may open, with the Linux kernel's Landlock. Uses raw system calls, because
// the installed header may be older than the kernel, or absent.

#pragma once

#include <filesystem>
#include <span>

#include "annotate/support/result.h"

namespace cupilot::judge::sandbox {

struct PathAccess {
  enum class Right {
    read,
    drive,    ///< a device file: read, write and ioctl
    execute,  ///< read and execute
    all,
  };
  std::filesystem::path path;
  Right right = Right::read;
};

/// Whether the kernel has Landlock and lets this process use it.
bool has_landlock();

/// Makes the rules as a descriptor, for a process to be started later. -1: the kernel has no Landlock.
Result<int> make_file_rules(std::span<const PathAccess> paths);

/// From now on this thread and what it starts may open only `paths`, each with its right. They get no TCP and
/// cannot send signals to processes outside (where the kernel's Landlock knows these). False: the kernel has
/// no Landlock. Needs no_new_privs.
Result<bool> restrict_files(std::span<const PathAccess> paths);

}  // namespace cupilot::judge::sandbox
