// SPDX-License-Identifier: Apache-2.0
//
// Outcomes of strategies, and strategies learned in earlier runs, which a tune reads from and adds to this
// user's history. A history that cannot be opened causes one warning, never an error. A run that is started
// again sees the history as it was at its first start: with other prompts, questions that were already
// answered would be asked and paid for again.

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

namespace cupilot::cli::history {

/// Subfolder of a run folder that holds the history each search began with.
inline constexpr const char *kHistories = "history";

/// What a run knows about earlier runs.
struct KnownHistory {
  std::vector<model::StrategyOutcome> outcomes;
  std::vector<std::string> learned;  ///< in text form
};

class TuneHistory {
public:
  /// Opens the history in the user's data folder ($CUPILOT_DATA, see user_data_folder()).
  static TuneHistory open();

  /// The history at the first start of a run. The first start writes the file `snapshot`; later starts read
  /// it.
  KnownHistory at_begin_of(const std::filesystem::path &snapshot) const;
  /// Stores the outcomes, and the winner's strategy if it was made in the run.
  void keep(const search::TuneOutcome &outcome, const strategy::StrategyPool &pool);

private:
  std::optional<store::History> history_;
};

/// The pool with the learned strategies added.
strategy::StrategyPool joined(const strategy::StrategyPool &pool, const KnownHistory &known);

/// The file of the history that a search began with: one for each search of a kernel.
std::filesystem::path history_file(const std::filesystem::path &run_folder, const store::RunInfo &run);

std::string to_json(const KnownHistory &known);
Result<KnownHistory> known_history_from_json(std::string_view text);

/// The winner's strategy under an id that is unique beyond its run, "rows-in-registers-3fa2c1d0". nullopt
/// when it comes from the pool, when there are several, or when it has no text form.
std::optional<model::Strategy> learned_strategy(const search::TuneOutcome &outcome,
                                                const strategy::StrategyPool &pool);

}  // namespace cupilot::cli::history
