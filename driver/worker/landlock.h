// SPDX-License-Identifier: Apache-2.0
//
// The kernel's Landlock by raw system calls: its header may be older than the kernel, or absent.

#pragma once

#include <filesystem>
#include <span>

#include "annotate/support/result.h"

namespace cupilot {

struct PathAccess {
  std::filesystem::path path;
  bool device_file = false;  ///< may also be written and driven with ioctl
};

/// This thread and what it starts may open `paths` for reading, and nothing else; no TCP, and no signals to
/// processes outside. False: the kernel has no Landlock. Needs no_new_privs.
Result<bool> restrict_files(std::span<const PathAccess> paths);

}  // namespace cupilot
