// SPDX-License-Identifier: Apache-2.0
//
// Strategies and outcomes for the tests of this folder.

#pragma once

#include <string>
#include <vector>

#include "evolution/model/strategy.h"
#include "evolution/model/strategy_outcome.h"

namespace cupilot {
using namespace model;

inline Strategy make_strategy(const std::string &id, double gain, const std::string &roofline_class,
                              const std::string &rule = "r") {
  Strategy one;
  one.id = id;
  one.gain = gain;
  one.roofline_classes = {roofline_class};
  one.rule = rule;
  return one;
}

inline StrategyOutcome outcome(const std::string &id, VerdictKind verdict, double speedup = 0,
                               const std::string &architecture = "sm_90") {
  StrategyOutcome one;
  one.strategy = id;
  one.architecture = architecture;
  one.kernel_id = "k";
  one.features = {"loop"};
  one.roofline_class = "memory-bound";
  one.verdict = verdict;
  one.speedup = speedup;
  return one;
}

template <class Range, class Id>
std::vector<std::string> ids_of(const Range &range, Id id) {
  std::vector<std::string> list;
  for (const auto &one : range) list.push_back(id(one));
  return list;
}

}  // namespace cupilot
