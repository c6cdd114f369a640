// SPDX-License-Identifier: Apache-2.0
//
// What a tune takes from earlier runs of this user and leaves for later ones: outcomes of strategies, and
// strategies that runs came up with. A history that cannot be opened is one warning, never an error.
// A run sees the history as it was when it began, however often it is started: other prompts would be other
// questions, and paid for again.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evolution/search/tune.h"
#include "evolution/store/database.h"
#include "evolution/store/history.h"
#include "evolution/strategy/pool.h"

namespace cupilot::cli {

/// In a run folder: what each search began with.
inline constexpr const char *kHistories = "history";

/// What a run is told of earlier ones.
struct KnownHistory {
  std::vector<StrategyOutcome> outcomes;
  std::vector<std::string> learned;  ///< in text form
};

class TuneHistory {
public:
  /// $CUPILOT_DATA's, see user_data_folder().
  static TuneHistory open();

  /// As it is now; at the second start of a run as `snapshot`, a file of its own, has it.
  KnownHistory at_begin_of(const std::filesystem::path &snapshot) const;
  /// Keeps the outcomes, and the winner's strategy where it is one of the run's own.
  void keep(const TuneOutcome &outcome, const StrategyPool &pool);

private:
  std::optional<History> history_;
};

/// The pool with what runs learned.
StrategyPool joined(const StrategyPool &pool, const KnownHistory &known);

/// Where the history a search began with is kept: one file for each search of a kernel.
std::filesystem::path history_file(const std::filesystem::path &run_folder, const RunInfo &run);

std::string to_json(const KnownHistory &known);
Result<KnownHistory> known_history_from_json(std::string_view text);

/// The winner's strategy under an id that is good beyond its run, "rows-in-registers-3fa2c1d0"; nothing where
/// it is the pool's own, several, or has no text form.
std::optional<Strategy> learned_strategy(const TuneOutcome &outcome, const StrategyPool &pool);

}  // namespace cupilot::cli
