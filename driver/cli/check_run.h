// SPDX-License-Identifier: Apache-2.0
//
// One kernel's workloads executed with all checks by `cupilot-emulate check`; its JSON lines as data.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/diagnostic.h"
#include "annotate/support/result.h"
#include "driver/cli/project.h"

namespace cupilot::cli {

struct CheckFinding {
  std::string kind;     ///< "shared-race": the rule
  std::string kernel;   ///< the record's name
  std::string message;  ///< with block and thread
  SourcePlace place;    ///< line 0: not known
  std::string workload;
  std::optional<SourcePlace> other_place;  ///< of a race
  std::string other_thread;                ///< "[block (0,0,0) thread (3,0,0)]"
};

struct CheckedKernel {
  std::string kernel;
  std::vector<std::string> workloads, shrunk;  ///< run; "llama: rows=64 instead of rows=8192"
  std::vector<CheckFinding> findings;          ///< each once, whatever the number of workloads that show it
  std::string error;                           ///< not empty: it could not be run, or not to the end
};

/// Takes one line of `cupilot-emulate check`. A slice names the user's files as `root` sees them.
Result<void> take_check_line(std::string_view line, const std::filesystem::path &root, CheckedKernel &into);

/// An error: nothing can be run at all (no cupilot-emulate, no compiler).
Result<CheckedKernel> check_kernel(const ProjectKernel &kernel, const std::string &architecture,
                                   std::uint64_t seed);

}  // namespace cupilot::cli
