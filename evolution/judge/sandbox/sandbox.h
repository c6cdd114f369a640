// SPDX-License-Identifier: Apache-2.0
//
// What a process that runs code of a candidate may still do: nothing but compute, and talk over the
// descriptors it has. Landlock (no writes anywhere, no reads outside what is named), seccomp (a list of
// allowed system calls: no network, no new programs or processes, no signals to others, no tracing), and
// limits. Nothing here can be undone by the process itself. Sources: landlock(7), seccomp(2).
//
// A forbidden call ends the process with SIGSYS, which only the kernel can make happen here: the parent takes
// the verdict from the wait status, and only the call's name from the process (`notes`).
//
// CUPILOT_SANDBOX=off or =report in the environment of cupilot-worker is for diagnosis on a new machine:
// report allows everything and prints what would have been refused on stderr (see it with --verbose).

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot {

struct SandboxRules {
  /// Files and folders that may be opened for reading; what does not exist is skipped.
  std::vector<std::filesystem::path> readable;
  /// A process that has a device: driver threads, ioctl and mapped device files are allowed. Else only what a
  /// host function needs that calls nothing.
  bool device = false;
  /// Without `device`: descriptors that stay open beside 0, 1 and 2. Empty: all stay.
  std::vector<int> keep;
  /// Gets one line before a forbidden call ends the process: a pipe the parent reads. -1: none.
  int notes = -1;
  /// Without `device`: address space. 0: no limit.
  std::uint64_t memory_bytes = 2ull << 30;
};

/// Locks this process up, for good. An old kernel without one of the two is no error: `missing` of the answer
/// names it ("landlock: not supported by this kernel"), the other one holds.
struct SandboxReport {
  std::string missing;
};
Result<SandboxReport> enter_sandbox(const SandboxRules &rules);

/// From now on nothing can be opened at all, not even what `readable` has: for after the candidate's library
/// has been loaded. Only inside a sandbox.
Result<> close_all_doors();

/// Parent side: "makes the system call 'socket' (network): ..." when a process ended with `wait_status`
/// because of a forbidden call, else empty. `note`: what it wrote to SandboxRules::notes; a lie there changes
/// a name, nothing else.
std::string forbidden_call(int wait_status, std::string_view note);

}  // namespace cupilot
