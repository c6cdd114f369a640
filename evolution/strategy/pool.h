// SPDX-License-Identifier: Apache-2.0
//
// The strategy pool: text records, one file each, shipped in evolution/strategy/pool and installed to
// share/cupilot/strategies. Format: strategy_text.h. A file that does not parse is a located error.
// Strategies that runs came up with join the pool when it is loaded (`with`); one that is not sound is left
// out with a reason, so that no earlier run can stop a later one.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"

namespace cupilot {

struct JoinedPool;

class StrategyPool {
public:
  StrategyPool() = default;
  /// In the order given; ids are unique, and what a record is in conflict with is there.
  static Result<StrategyPool> of(std::vector<Strategy> strategies);
  /// Every *.txt of the folder in the order of the names.
  static Result<StrategyPool> load(const std::filesystem::path &folder);

  /// These first, then the learned ones, given in text form. Left out: what does not parse, and ids that are
  /// there already. Conflicts with ids that are not there (of the run it was made in) are dropped.
  JoinedPool with(const std::vector<std::string> &learned) const;

  const std::vector<Strategy> &strategies() const { return strategies_; }
  const Strategy *find(std::string_view id) const;

private:
  std::vector<Strategy> strategies_;
};

struct JoinedPool {
  StrategyPool pool;
  std::vector<std::string> left_out;  ///< why, one line each
};

/// $CUPILOT_STRATEGIES, else share/cupilot/strategies of the installation the running program belongs to,
/// else the source tree's folder when this is a build of it.
Result<std::filesystem::path> find_strategies();

}  // namespace cupilot
