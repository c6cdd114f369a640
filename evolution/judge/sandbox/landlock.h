// SPDX-License-Identifier: Apache-2.0
//
// The kernel's Landlock by raw system calls: its header may be older than the kernel, or absent.

#pragma once

#include <filesystem>
#include <span>

#include "annotate/support/result.h"

namespace cupilot {

struct PathAccess {
  enum class Right {
    read,
    drive,    ///< a device file: written and driven with ioctl, too
    execute,  ///< programs and what they read
    all,
  };
  std::filesystem::path path;
  Right right = Right::read;
};

/// Those rules as a descriptor, for a process that is yet to be started; -1: the kernel has no Landlock.
Result<int> make_file_rules(std::span<const PathAccess> paths);

/// This thread and what it starts may open `paths` for reading, and nothing else; no TCP, and no signals to
/// processes outside. False: the kernel has no Landlock. Needs no_new_privs.
Result<bool> restrict_files(std::span<const PathAccess> paths);

}  // namespace cupilot
