// SPDX-License-Identifier: Apache-2.0
//
// The outcome of one strategy on one kernel, success or failure. Retrieval ranks strategies by these entries.

#pragma once

#include <set>
#include <string>

#include "evolution/model/verdict.h"

namespace cupilot::model {

struct StrategyOutcome {
  std::string strategy;      ///< id
  std::string architecture;  ///< "sm_90"
  std::string kernel, kernel_id;
  std::set<std::string> features;  ///< kernel_features() of the kernel
  std::string roofline_class;      ///< class of the original kernel; empty: unknown
  VerdictKind verdict = VerdictKind::not_evaluated;
  bool refused = false;    ///< no variant was made, since a precondition did not hold
  double speedup = 0;      ///< over the original; 0: not timed
  bool estimated = false;  ///< from the CPU executor; has less weight and is never treated as a measurement
  std::string reason;
  std::string at;  ///< "2026-11-22T04:17:00Z"
};

}  // namespace cupilot::model
