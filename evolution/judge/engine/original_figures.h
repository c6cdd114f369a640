// SPDX-License-Identifier: Apache-2.0
//
// Hardware counters and estimated times of the original kernel.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/engine/original_process.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot {

/// The counters of the cases in Plan::timing, by case id. If the profiler fails or ends the process, only the
/// counters are missing; the bundle is still judged.
Result<std::map<std::string, Profile>> profile_original(OriginalProcess &original, const Bundle &bundle,
                                                        const Plan &plan);

/// The estimates of the cases in Plan::estimated, by case index.
Result<std::map<std::size_t, EstimatedTime>> estimate_original(OriginalProcess &original,
                                                               const Bundle &bundle, const Plan &plan,
                                                               const std::vector<std::string> &waived);

}  // namespace cupilot
