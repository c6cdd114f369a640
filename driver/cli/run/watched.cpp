// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/run/watched.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "driver/cli/run/program.h"
#include "evolution/capture/seen_json.h"
#include "evolution/capture/watcher.h"

namespace cupilot::cli::run {
namespace {

Result<std::map<std::string, std::string>> environment_for(const WatchedRun &run,
                                                           const std::filesystem::path &folder) {
  // Tuned variants in the program would be launched in the original's place.
  std::map<std::string, std::string> variables{{capture::kFolderVariable, folder.string()},
                                               {"CUPILOT_ORIGINAL", "1"}};
  if (!run.cpu) {
    CUPILOT_TRY(library, own_library("CUPILOT_WATCHER", "libcupilot-watcher.so", "watcher of launches",
                                     "the part for GPUs (CUPILOT_BUILD_WORKER=ON)"));
    variables["CUDA_INJECTION64_PATH"] = library.string();
    return variables;
  }
  CUPILOT_TRY(library, emulated_runtime());
  variables["LD_PRELOAD"] = with_preload(library);
  variables["CUPILOT_EMULATE_ARCH"] = run.architecture;
  return variables;
}

}  // namespace

void add_watch_options(CLI::App &command, project::ProjectRequest &project, WatchOptions &options) {
  command
      .add_option("inputs", project.inputs,
                  "A build folder (and files of it); default: this one, or build/ in it")
      ->type_name("BUILD");
  command
      .add_option("--executor", options.executor.executor,
                  "local: on this GPU; cpu: kernels run on the CPU; default: local where there is a GPU")
      ->check(CLI::IsMember({"local", "cpu"}));
  auto *const prepare =
      command.add_option("--prepare", options.prepare, "Only write into DIR what the watcher needs")
          ->type_name("DIR");
  command.add_option("--read", options.read, "Take what was seen from DIR; run nothing")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory)
      ->excludes(prepare);
}

std::vector<capture::WatchedKernel> watched_kernels(const std::vector<project::ProjectKernel> &kernels) {
  std::vector<capture::WatchedKernel> watched;
  for (const auto &kernel : kernels)
    watched.push_back({kernel.spec.name, kernel.spec.symbol, kernel.spec.parameters});
  return watched;
}

Result<void> prepare_watch(const capture::Watch &watch, const std::filesystem::path &folder) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  return write_file_atomic(folder / capture::kWatchFile, capture::to_json(watch) + "\n");
}

Result<int> run_watched(const WatchedRun &run, const capture::Watch &watch,
                        const std::filesystem::path &folder) {
  CUPILOT_TRY(file, program_file(run.program, run.usage));
  CUPILOT_CHECKED(prepare_watch(watch, folder));
  CUPILOT_TRY(variables, environment_for(run, folder));
  CUPILOT_TRY(code, run_attached(file, run.program, variables));
  if (code != 0) log::warning(fmt::format("the program ended with exit code {}", code));
  return code;
}

}  // namespace cupilot::cli::run
