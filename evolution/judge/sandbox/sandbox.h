// SPDX-License-Identifier: Apache-2.0
//
// Locks up a process that runs code of a candidate: it may compute and use the descriptors it has, and
// nothing else. Uses Landlock (no writes anywhere, no reads outside the named paths), seccomp (a list of
// allowed system calls: no network, no new programs or processes, no signals to others, no tracing), and
// resource limits. The process itself cannot undo any of it. Sources: landlock(7), seccomp(2).
//
// A forbidden call ends the process with SIGSYS, which only the kernel can send here. So the parent takes the
// verdict from the wait status; only the name of the call comes from the process (`notes`).
//
// CUPILOT_SANDBOX=off or =report in the environment of cupilot-worker is for diagnosis on a new machine:
// "report" allows everything and prints on stderr what would have been refused (shown with --verbose).

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::judge::sandbox {

struct SandboxRules {
  /// Files and folders that may be opened for reading; paths that do not exist are skipped.
  std::vector<std::filesystem::path> readable;
  /// The process has a device: driver threads, ioctl and mapped device files are allowed. Otherwise only what
  /// a host function needs that computes and calls nothing.
  bool device = false;
  /// Without `device`: descriptors that stay open besides 0, 1 and 2. Empty: all stay open.
  std::vector<int> keep;
  /// A pipe that the parent reads; it gets one line before a forbidden call ends the process. -1: none.
  int notes = -1;
  /// Without `device`: limit of the address space. 0: no limit.
  std::uint64_t memory_bytes = 2ull << 30;
};

/// Locks up this process for good. It is not an error if an old kernel lacks Landlock or seccomp: `missing`
/// names the one that is not in force ("landlock: not supported by this kernel").
struct SandboxReport {
  std::string missing;
};
Result<SandboxReport> enter_sandbox(const SandboxRules &rules);

/// What this machine or CUPILOT_SANDBOX leaves open, for verdicts and for the person who runs the judge:
/// "judged without Landlock, ...". Empty: the whole sandbox is in force.
std::string missing_protection();

/// From now on no file can be opened at all, not even those of `readable`. Called after the candidate's
/// library has been loaded; has an effect only inside the sandbox.
Result<> close_all_doors();

/// For the parent: describes a forbidden call that ended a process with `wait_status` ("makes the system call
/// 'socket' (network): ..."), else empty. `note` is what the process wrote to SandboxRules::notes; a false
/// note only changes the name.
std::string forbidden_call(int wait_status, std::string_view note);

}  // namespace cupilot::judge::sandbox
