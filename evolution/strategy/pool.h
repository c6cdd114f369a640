// SPDX-License-Identifier: Apache-2.0
//
// The strategy pool: text records, one file each, shipped in evolution/strategy/pool and installed to
// share/cupilot/strategies. Format: strategy_text.h. A file that does not parse is a located error.

#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"

namespace cupilot {

class StrategyPool {
public:
  StrategyPool() = default;
  /// In the order given; ids are unique.
  static Result<StrategyPool> of(std::vector<Strategy> strategies);
  /// Every *.txt of the folder in the order of the names.
  static Result<StrategyPool> load(const std::filesystem::path &folder);

  const std::vector<Strategy> &strategies() const { return strategies_; }
  const Strategy *find(std::string_view id) const;

private:
  std::vector<Strategy> strategies_;
};

/// $CUPILOT_STRATEGIES, else share/cupilot/strategies of the installation the running program belongs to,
/// else the source tree's folder when this is a build of it.
Result<std::filesystem::path> find_strategies();

}  // namespace cupilot
