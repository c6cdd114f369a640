// SPDX-License-Identifier: Apache-2.0
//
// Which regions of which inputs are changed by themselves, to see whether a candidate looks at all of its
// data as the original does. Pure choice. What averages hide (one missed term of a million, a maximum that is
// found elsewhere) shows when a region is enormous.
//
// Every workload's own case has at least the last region of every input probed; how many more is a question
// of what its runs cost.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evolution/judge/cases/case_layout.h"
#include "evolution/model/bundle.h"

namespace cupilot {

struct PlannedProbe {
  std::size_t case_index = 0;
  std::string family;  ///< "impulse/x/12"
};

struct ProbeLimits {
  bool emulated = false;                   ///< what a run costs
  double seconds = 0;                      ///< of a candidate's verification, about; 0: no probes at all
  std::uint64_t output_bytes = 512 << 20;  ///< of all expected outputs together
};

/// In the order of cases. `own`: by case, whether it is the user's own data rather than a neighbour.
std::vector<PlannedProbe> plan_probes(const Bundle &bundle, const std::vector<CaseLayout> &layouts,
                                      const std::vector<bool> &own, const ProbeLimits &limits,
                                      std::uint64_t seed);

/// What one checked run takes, about.
double run_seconds(const CaseLayout &layout, bool emulated);

}  // namespace cupilot
