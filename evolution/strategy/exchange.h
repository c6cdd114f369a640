// SPDX-License-Identifier: Apache-2.0
//
// The history of strategies as a file that can be copied to another machine: JSON lines in a stable order.
//
//   {"cupilot_strategies":1}                       first line, the format's version
//   {"strategy":"cupilot-strategy 1\nid: ...\n"}   learned strategies in text form, by id
//   {"outcome":{"strategy","architecture","kernel","kernel_id","features","class","verdict","refused",
//    "speedup","estimated","reason","at"}}         by strategy, kernel_id, architecture, measured before
//    estimated
//
// The file is parsed strictly because it comes from elsewhere: every problem is reported with its line.

#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "annotate/support/diagnostic.h"
#include "evolution/model/strategy_outcome.h"

namespace cupilot::strategy {

struct Exchange {
  std::vector<model::StrategyOutcome> outcomes;
  std::vector<std::string> strategies;  ///< text form (strategy_text.h)
};

struct ParsedExchange {
  Exchange exchange;
  std::vector<Diagnostic> diagnostics;  ///< `exchange` is valid only if there are no errors
};

/// Two outcomes with the same key are the same outcome: the later one replaces the earlier, as in
/// History::add.
using OutcomeKey = std::tuple<std::string, std::string, std::string, bool>;
OutcomeKey key_of(const model::StrategyOutcome &outcome);

/// A strategy text whose id cannot be parsed is left out.
std::string to_lines(const Exchange &exchange);
ParsedExchange parse_exchange(std::string_view text, const std::string &file);

}  // namespace cupilot::strategy
