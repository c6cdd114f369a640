// SPDX-License-Identifier: Apache-2.0
//
// What strategies did on every kernel this user tuned, wins and failures, over runs and projects: a database
// of its own in the user's data folder. Many processes may write it.

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/model/strategy_outcome.h"

namespace cupilot {

class Connection;

/// $CUPILOT_DATA, else $XDG_DATA_HOME/cupilot, else ~/.local/share/cupilot.
std::filesystem::path user_data_folder();

class History {
public:
  static Result<History> open(const std::filesystem::path &file);
  History(History &&) noexcept;
  History &operator=(History &&) noexcept;
  ~History();

  /// The same outcome again (strategy, kernel_id, architecture, executor) replaces the one before.
  Result<void> add(const std::vector<StrategyOutcome> &outcomes);
  Result<std::vector<StrategyOutcome>> outcomes() const;
  /// A strategy a run came up with, so that later runs can retrieve it; its text form (strategy_text.h).
  Result<void> keep_strategy(const std::string &id, const std::string &text);
  Result<std::vector<std::string>> strategies() const;

private:
  explicit History(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace cupilot
