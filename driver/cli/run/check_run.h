// SPDX-License-Identifier: Apache-2.0
//
// Runs one kernel's workloads with all checks by `cupilot-emulate check`, and reads its JSON lines.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/diagnostic.h"
#include "annotate/support/result.h"
#include "driver/cli/project/project.h"

namespace cupilot::cli::run {

struct CheckFinding {
  std::string kind;     ///< "shared-race": the rule
  std::string kernel;   ///< the record's name
  std::string message;  ///< one sentence that names the block and the thread
  SourcePlace place;    ///< line 0: not known
  std::string workload;
  std::optional<SourcePlace> other_place;  ///< the other access of a race
  std::string other_thread;                ///< "[block (0,0,0) thread (3,0,0)]"
};

struct CheckedKernel {
  std::string kernel;
  /// Those that ran; those that ran smaller, "llama: rows=64 instead of rows=8192".
  std::vector<std::string> workloads, shrunk;
  std::vector<CheckFinding> findings;  ///< each once, even if several workloads show it
  std::string error;                   ///< not empty: the kernel could not be run to its end
};

/// Takes one line of `cupilot-emulate check`. Paths of the user's files in a slice are relative to `root`.
Result<void> take_check_line(std::string_view line, const std::filesystem::path &root, CheckedKernel &into);

/// Returns an error only when no kernel can be run (cupilot-emulate or the compiler is missing).
Result<CheckedKernel> check_kernel(const project::ProjectKernel &kernel, const std::string &architecture,
                                   std::uint64_t seed);

}  // namespace cupilot::cli::run
