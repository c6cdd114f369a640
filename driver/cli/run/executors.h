// SPDX-License-Identifier: Apache-2.0
//
// `--executor local|folder|cpu`: chooses the executor that runs the bundles, and the architecture and the
// toolchain that follow from it.

#pragma once

#include <memory>
#include <string>

#include "annotate/support/result.h"
#include "driver/cli/project/project.h"
#include "evolution/judge/bundle/executor.h"

namespace CLI {
class App;
}

namespace cupilot::cli::run {

struct ExecutorOptions {
  std::string executor;      ///< empty until choose_executor(), unless the user named one
  std::string folder;        ///< the folder of `--executor folder`
  std::string architecture;  ///< --arch; empty: this GPU's, or the only one that the kernels are compiled for
  int jobs = 0;
  std::vector<std::string> waived;  ///< --waive: Bundle::waived
  /// `replay:FILE` is accepted as an executor; set it before add_executor_options().
  bool may_replay = false;
  bool local() const { return executor == "local"; }
  /// Candidates run on the CPU and are not timed; verdicts contain estimates.
  bool cpu() const { return executor == "cpu"; }
  /// The file of the recording that verdicts are taken from; empty without one.
  std::string recording() const { return executor.starts_with("replay:") ? executor.substr(7) : ""; }
};

void add_executor_options(CLI::App &command, ExecutorOptions &options);

/// " --waive shared-race": the options for a command that repeats this run.
std::string waiver_words(const std::vector<std::string> &waived);

/// Fills in the executor when the user named none: this machine's GPU, else the CPU, with a note on stderr.
void choose_executor(ExecutorOptions &options);

/// Checks the worker or the folder before a search begins. Requests of the executor to the user are printed
/// on stderr.
Result<std::unique_ptr<judge::bundle::Executor>> make_executor(const ExecutorOptions &options,
                                                               const judge::bundle::StopFlag &stop);

/// For `local` this machine's GPU, otherwise the architecture that the kernels are compiled for; --arch
/// overrides both.
Result<std::string> choose_architecture(const ExecutorOptions &options,
                                        const std::vector<project::ProjectKernel> &kernels);

/// The compiler that builds the candidates, as text for the record. A worker on this machine is made to use
/// it (CUPILOT_NVCC). Returns an error when candidates are built here and there is no compiler.
Result<std::string> choose_toolchain(const ExecutorOptions &options, const spec::CompileCommand &command);

}  // namespace cupilot::cli::run
