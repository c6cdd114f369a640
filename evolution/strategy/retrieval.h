// SPDX-License-Identifier: Apache-2.0
//
// Which strategies of the pool to try on a kernel, best first. Simple for now: class and features weigh the
// typical gain; later the history of earlier runs joins the weighing behind the same function.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "evolution/model/strategy.h"
#include "evolution/strategy/pool.h"

namespace cupilot {

struct RetrievalQuery {
  std::string roofline_class;      ///< empty: not measured yet, every class counts
  std::set<std::string> features;  ///< kernel_features()
  bool only_rules = false;         ///< strategies `builtin` can realise
};

/// Never drops a strategy for its class or features: those only rank. Equal ones by id.
std::vector<Strategy> retrieve(const StrategyPool &pool, const RetrievalQuery &query);

}  // namespace cupilot
