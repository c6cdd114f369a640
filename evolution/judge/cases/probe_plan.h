// SPDX-License-Identifier: Apache-2.0
//
// Chooses the probes: which regions of which inputs are changed alone, to see whether a candidate reads all
// of its data as the original does. Errors that averages hide (one missing term of a million, a maximum that
// lies elsewhere) become visible when the values of a region are enormous. Pure.
//
// In the case of each workload at least the last region of every input is probed. The number of further
// probes depends on what its runs cost.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evolution/judge/cases/case_layout.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::cases {

struct PlannedProbe {
  std::size_t case_index = 0;
  std::string family;  ///< "impulse/x/12"
};

struct ProbeLimits {
  bool emulated = false;                   ///< runs on the CPU executor; decides what a run costs
  double seconds = 0;                      ///< approximate time for all probes of a candidate; 0: no probes
  std::uint64_t output_bytes = 512 << 20;  ///< limit for the expected outputs of all probes together
};

/// Returns the probes in the order of cases. `own`: for each case, whether it is a workload of the user
/// (is_users_own).
std::vector<PlannedProbe> plan_probes(const model::Bundle &bundle, const std::vector<CaseLayout> &layouts,
                                      const std::vector<bool> &own, const ProbeLimits &limits,
                                      std::uint64_t seed);

/// Approximate seconds of one checked run.
double run_seconds(const CaseLayout &layout, bool emulated);

}  // namespace cupilot::judge::cases
