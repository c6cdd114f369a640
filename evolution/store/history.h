// SPDX-License-Identifier: Apache-2.0
//
// The outcomes of strategies on every kernel that this user has tuned, over all runs and projects. It is a
// separate database in the user's data folder. Several processes may write it at once.

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/model/strategy_outcome.h"

namespace cupilot::store {

class Connection;

/// $CUPILOT_DATA, else $XDG_DATA_HOME/cupilot, else ~/.local/share/cupilot.
std::filesystem::path user_data_folder();

class History {
public:
  static Result<History> open(const std::filesystem::path &file);
  History(History &&) noexcept;
  History &operator=(History &&) noexcept;
  ~History();

  /// Stores outcomes. One with the same strategy, kernel_id, architecture and executor replaces the earlier
  /// one.
  Result<void> add(const std::vector<model::StrategyOutcome> &outcomes);
  Result<std::vector<model::StrategyOutcome>> outcomes() const;
  /// Stores a strategy that a run produced, in text form (strategy_text.h), so that later runs can retrieve
  /// it.
  Result<void> keep_strategy(const std::string &id, const std::string &text);
  Result<std::vector<std::string>> strategies() const;

private:
  explicit History(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace cupilot::store
