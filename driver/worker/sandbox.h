// SPDX-License-Identifier: Apache-2.0
//
// What a process that runs code of a candidate may still do: nothing but compute, and talk over the
// descriptors it has. Landlock (no writes anywhere, no reads outside what is named), seccomp (a list of
// allowed system calls: no network, no new programs or processes, no signals to others, no tracing), and
// limits. Nothing here can be undone by the process itself. Sources: landlock(7), seccomp(2).

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot {

struct SandboxRules {
  /// Files and folders that may be opened for reading.
  std::vector<std::filesystem::path> readable;
  /// A process that has a device: driver threads, ioctl and mapped device files are allowed. Else only what a
  /// host function needs that calls nothing.
  bool device = false;
};

/// Locks this process up, for good. An old kernel without one of the two is no error: `missing` of the answer
/// names it ("landlock: not supported by this kernel"), the other one holds.
struct SandboxReport {
  std::string missing;
};
Result<SandboxReport> enter_sandbox(const SandboxRules &rules);

}  // namespace cupilot
