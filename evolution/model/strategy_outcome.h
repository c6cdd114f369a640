// SPDX-License-Identifier: Apache-2.0
//
// What became of one strategy on one kernel: a line of the history that retrieval weighs, wins and failures.

#pragma once

#include <set>
#include <string>

#include "evolution/model/verdict.h"

namespace cupilot {

struct StrategyOutcome {
  std::string strategy;      ///< id
  std::string architecture;  ///< "sm_90"
  std::string kernel, kernel_id;
  std::set<std::string> features;  ///< kernel_features() of the kernel
  std::string roofline_class;      ///< of the original; empty: not known
  VerdictKind verdict = VerdictKind::not_evaluated;
  bool refused = false;    ///< no variant came of it: a precondition did not hold
  double speedup = 0;      ///< over the original; 0: not timed
  bool estimated = false;  ///< by the CPU executor: counts less, never as a measurement
  std::string reason;
  std::string at;  ///< "2026-11-22T04:17:00Z"
};

}  // namespace cupilot
