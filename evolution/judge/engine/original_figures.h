// SPDX-License-Identifier: Apache-2.0
//
// Hardware counters and estimated times of the original kernel, and the bytes that it needs.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/correct/needed_bytes.h"
#include "evolution/judge/engine/original_process.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::engine {

/// The counters of the cases in Plan::timing, by case id. If the profiler fails or ends the process, only the
/// counters are missing; the bundle is still judged.
Result<std::map<std::string, model::Profile>> profile_original(OriginalProcess &original,
                                                               const model::Bundle &bundle,
                                                               const cases::Plan &plan);

/// The estimates of the cases in Plan::estimated, by case index.
Result<std::map<std::size_t, model::EstimatedTime>> estimate_original(OriginalProcess &original,
                                                                      const model::Bundle &bundle,
                                                                      const cases::Plan &plan,
                                                                      const std::vector<std::string> &waived);

/// What the original needs of its buffers in the cases of Plan::timing, by case index.
std::map<std::size_t, correct::NeededBytes> bytes_of_original(OriginalProcess &original,
                                                              const model::Bundle &bundle,
                                                              const cases::Plan &plan,
                                                              const std::vector<std::string> &waived);

}  // namespace cupilot::judge::engine
