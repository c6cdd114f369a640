// SPDX-License-Identifier: Apache-2.0
//
// Runs a program of the user's with the watcher of launches inside (evolution/capture/watcher.h).

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "driver/cli/project/project.h"
#include "driver/cli/run/executors.h"
#include "evolution/capture/seen.h"

namespace CLI {
class App;
}

namespace cupilot::cli::run {

/// How a program is watched, or that another machine does it.
struct WatchOptions {
  ExecutorOptions executor;
  std::string prepare, read;  ///< folders
};

/// BUILD, --executor, --prepare and --read.
void add_watch_options(CLI::App &command, project::ProjectRequest &project, WatchOptions &options);

std::vector<capture::WatchedKernel> watched_kernels(const std::vector<project::ProjectKernel> &kernels);

/// Writes what the watcher needs into the folder, which is made.
Result<void> prepare_watch(const capture::Watch &watch, const std::filesystem::path &folder);

struct WatchedRun {
  std::vector<std::string> program;
  std::string usage;         ///< how the program is given, for the error when it is not
  bool cpu = false;          ///< its kernels run on the CPU
  std::string architecture;  ///< of the emulated GPU
};

/// Runs the program; what is seen of it is in the folder. Gives the program's exit code.
Result<int> run_watched(const WatchedRun &run, const capture::Watch &watch,
                        const std::filesystem::path &folder);

}  // namespace cupilot::cli::run
