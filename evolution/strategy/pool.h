// SPDX-License-Identifier: Apache-2.0
//
// The strategy pool: text files, one for each strategy, in evolution/strategy/pool, installed to
// share/cupilot/strategies. Their format is described in strategy_text.h. A file that does not parse is an
// error with its place. Strategies that earlier runs produced are added by `with`. An invalid one is left out
// with a reason, so that no earlier run can make a later one fail.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"

namespace cupilot::strategy {

struct JoinedPool;

class StrategyPool {
public:
  StrategyPool() = default;
  /// A pool of these strategies in the given order. It is an error if an id occurs twice or if a strategy
  /// names a conflict with an unknown id.
  static Result<StrategyPool> of(std::vector<model::Strategy> strategies);
  /// Loads every *.txt of the folder in the order of the file names.
  static Result<StrategyPool> load(const std::filesystem::path &folder);

  /// The strategies of this pool, followed by the learned ones, which are given in text form. A learned
  /// strategy is left out if it does not parse or if its id exists already. Its conflicts with unknown ids
  /// (of the run that produced it) are dropped.
  JoinedPool with(const std::vector<std::string> &learned) const;

  const std::vector<model::Strategy> &strategies() const { return strategies_; }
  const model::Strategy *find(std::string_view id) const;

private:
  std::vector<model::Strategy> strategies_;
};

struct JoinedPool {
  StrategyPool pool;
  std::vector<std::string> left_out;  ///< for each strategy that was left out, one line with the reason
};

/// The folder of the pool: $CUPILOT_STRATEGIES, else share/cupilot/strategies of the installation the running
/// program belongs to, else the source tree's folder if the program is a build of it.
Result<std::filesystem::path> find_strategies();

}  // namespace cupilot::strategy
