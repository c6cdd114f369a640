// SPDX-License-Identifier: Apache-2.0
//
// Prints the strategy pool with each strategy's results from the history, as tables and as JSON, for `cupilot
// strategies`.

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "evolution/model/strategy.h"
#include "evolution/model/strategy_outcome.h"

namespace cupilot::cli::history {

struct StrategyRow {
  model::Strategy strategy;
  bool learned = false;                         ///< learned in a run of this user; else shipped with cupilot
  int wins = 0, tries = 0;                      ///< measured, on the architecture asked for
  int estimated_wins = 0, estimated_tries = 0;  ///< estimated by the CPU executor
  double median = 0;                            ///< median speed-up of the timed ones; 0: none was timed
};

struct StrategyFilter {
  std::string roofline_class, architecture, feature;  ///< empty: any
};

/// Whether the strategy passes the filter. The history is not used; an architecture excludes strategies that
/// it cannot run.
bool fits(const model::Strategy &strategy, const StrategyFilter &filter);
/// Counts the outcomes of the strategy, only those on `architecture` unless that is empty.
StrategyRow row_of(const model::Strategy &strategy, const std::vector<model::StrategyOutcome> &outcomes,
                   const std::string &architecture);

std::string strategies_text(const std::vector<StrategyRow> &rows);
nlohmann::ordered_json strategies_json(const std::vector<StrategyRow> &rows);

/// The strategy's text form, then its outcomes, the latest first.
std::string strategy_text(const model::Strategy &strategy, std::vector<model::StrategyOutcome> outcomes);
nlohmann::ordered_json strategy_json(const model::Strategy &strategy, bool learned,
                                     const std::vector<model::StrategyOutcome> &outcomes);

}  // namespace cupilot::cli::history
