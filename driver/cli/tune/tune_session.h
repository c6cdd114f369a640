// SPDX-License-Identifier: Apache-2.0
//
// One run of `cupilot tune` over the kernels chosen: opens the run database, tunes one kernel after the
// other, and publishes each winner at once, so that a process killed later loses nothing.

#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/history/tune_history.h"
#include "driver/cli/run/progress_printer.h"
#include "driver/cli/tune/summary.h"

namespace cupilot::judge::bundle {
class Executor;
}  // namespace cupilot::judge::bundle

namespace cupilot::provider {
class Providers;
struct Recording;
}  // namespace cupilot::provider

namespace cupilot::cli::tune {}  // namespace cupilot::cli::tune

namespace cupilot::cli::tune {

struct SessionSettings {
  search::TuneSettings tune;
  bool share_models_budget = false;  ///< the budget's money and tokens are shared by all kernels
  std::string model_words;           ///< policy and provider, for the command that repeats the run
  std::filesystem::path run_folder;  ///< `<build>/cupilot/run`; the caller holds its lock
  bool publish = true;
  std::string toolchain;        ///< for the record
  std::filesystem::path build;  ///< absolute; for the command that repeats the run
  const provider::Recording *recorded =
      nullptr;  ///< verdicts come from this recording instead of the executor
  /// The history of a recording that is replayed. It replaces the user's history, which is then not changed.
  std::optional<history::KnownHistory> history;
};

/// A kernel that fails becomes an entry with an error, and the next one is tuned. Returns an error only when
/// no kernel can be tuned.
Result<std::vector<TuneEntry>> tune_kernels(const std::vector<project::ProjectKernel> &kernels,
                                            const SessionSettings &settings,
                                            judge::bundle::Executor &executor,
                                            const provider::Providers &providers, run::TuneDisplay &display,
                                            const std::atomic<bool> &stop);

/// `--fresh`: renames the run database and its bundles to `*.old`, and replaces older ones of that name.
Result<void> put_aside(const std::filesystem::path &run_folder);

}  // namespace cupilot::cli::tune
