// SPDX-License-Identifier: Apache-2.0
//
// `--executor local|folder|cpu`: which executor runs the bundles, and which architecture that means.

#pragma once

#include <memory>
#include <string>

#include "annotate/support/result.h"
#include "driver/cli/project.h"
#include "evolution/judge/bundle/executor.h"

namespace CLI {
class App;
}

namespace cupilot::cli {

struct ExecutorOptions {
  std::string executor;      ///< empty until choose_executor(), unless the user said it
  std::string folder;        ///< of --executor folder
  std::string architecture;  ///< --arch; empty: this GPU's, or the only one compiled
  int jobs = 0;
  std::vector<std::string> waived;  ///< --waive: Bundle::waived
  bool may_replay = false;          ///< set before the options are added: `replay:FILE` is an executor too
  bool local() const { return executor == "local"; }
  /// Candidates are executed, not timed: verdicts carry estimates.
  bool cpu() const { return executor == "cpu"; }
  /// The recording that judges; empty without one.
  std::string recording() const { return executor.starts_with("replay:") ? executor.substr(7) : ""; }
};

void add_executor_options(CLI::App &command, ExecutorOptions &options);

/// " --waive shared-race": as a command that repeats this says it.
std::string waiver_words(const std::vector<std::string> &waived);

/// Without --executor: the GPU here, else the CPU, with a note that says so.
void choose_executor(ExecutorOptions &options);

/// Checks what can be checked before a search: the worker, the folder. What the executor asks of people goes
/// to stderr.
Result<std::unique_ptr<Executor>> make_executor(const ExecutorOptions &options, const StopFlag &stop);

/// For `local` the GPU here, for the others what the kernels are compiled for; --arch overrides both.
Result<std::string> choose_architecture(const ExecutorOptions &options,
                                        const std::vector<ProjectKernel> &kernels);

/// What builds the candidates, as the record says it; a worker here is told (CUPILOT_NVCC), so that it is
/// true. An error when they are built here and there is no compiler.
Result<std::string> choose_toolchain(const ExecutorOptions &options, const CompileCommand &command);

}  // namespace cupilot::cli
