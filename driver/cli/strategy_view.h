// SPDX-License-Identifier: Apache-2.0
//
// What `cupilot strategies` shows: the pool with what the history says of each, as tables and JSON.

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "evolution/model/strategy.h"
#include "evolution/model/strategy_outcome.h"

namespace cupilot::cli {

struct StrategyRow {
  Strategy strategy;
  bool learned = false;                         ///< by a run of this user; else shipped
  int wins = 0, tries = 0;                      ///< measured, where asked for
  int estimated_wins = 0, estimated_tries = 0;  ///< by the CPU executor
  double median = 0;                            ///< speed-up of what was timed; 0: nothing was
};

struct StrategyFilter {
  std::string roofline_class, architecture, feature;  ///< empty: any
};

/// Does not look at the history: an architecture leaves out what it cannot run.
bool fits(const Strategy &strategy, const StrategyFilter &filter);
/// Counts the outcomes of the strategy, on this architecture unless empty.
StrategyRow row_of(const Strategy &strategy, const std::vector<StrategyOutcome> &outcomes,
                   const std::string &architecture);

std::string strategies_text(const std::vector<StrategyRow> &rows);
nlohmann::ordered_json strategies_json(const std::vector<StrategyRow> &rows);

/// Its text form, then its outcomes, the latest first.
std::string strategy_text(const Strategy &strategy, std::vector<StrategyOutcome> outcomes);
nlohmann::ordered_json strategy_json(const Strategy &strategy, bool learned,
                                     const std::vector<StrategyOutcome> &outcomes);

}  // namespace cupilot::cli
