// SPDX-License-Identifier: Apache-2.0
//
// One run of `cupilot tune` over the kernels chosen: opens the run database and what the engine works with,
// tunes one kernel after the other and publishes each winner at once, so that a kill later costs nothing.

#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/progress_printer.h"
#include "driver/cli/summary.h"
#include "driver/cli/tune_history.h"

namespace cupilot {
class Executor;
class Providers;
struct Recording;
}  // namespace cupilot

namespace cupilot::cli {

struct SessionSettings {
  TuneSettings tune;
  bool share_models_budget = false;  ///< money and tokens of the budget are for all kernels together
  std::string model_words;           ///< policy and provider, for the command that repeats the run
  std::filesystem::path run_folder;  ///< `<build>/cupilot/run`; the caller holds its lock
  bool publish = true;
  std::string toolchain;                ///< for the record
  std::filesystem::path build;          ///< absolute; for the command that repeats the run
  const Recording *recorded = nullptr;  ///< judges instead of the executor
  /// Of a recording that is played again: it takes the place of the user's, which learns nothing.
  std::optional<KnownHistory> history;
};

/// A kernel that fails is an entry with an error, and the next one is tuned. An error: nothing could be tuned
/// at all.
Result<std::vector<TuneEntry>> tune_kernels(const std::vector<ProjectKernel> &kernels,
                                            const SessionSettings &settings, Executor &executor,
                                            const Providers &providers, TuneDisplay &display,
                                            const std::atomic<bool> &stop);

/// `--fresh`: the run database and its bundles step aside as `*.old`, replacing what was there under that
/// name.
Result<void> put_aside(const std::filesystem::path &run_folder);

}  // namespace cupilot::cli
