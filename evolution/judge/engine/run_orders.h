// SPDX-License-Identifier: Apache-2.0
//
// What a run of the plan is as an order to a child. The original and the candidates get the same orders, so
// that their outputs can be compared.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evolution/judge/cases/plan.h"
#include "evolution/judge/engine/messages.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::engine {

/// Time limit of an estimate, in time limits of a run: it executes some blocks at full size, several at a
/// time.
inline constexpr double kEstimateRuns = 3;

/// The order that tells a child its cases. It learns the inputs one run at a time, so it gets no seed.
Order setup_order(const model::Bundle &bundle);

/// The order for a run on these inputs.
RunOrder run_order(const cases::PlannedInputs &inputs);
/// The order for one run of the plan; the original and the candidates get the same one.
RunOrder run_order(const model::Bundle &bundle, const cases::Plan &plan, const cases::PlannedRun &run,
                   const std::vector<std::string> &waived);

/// The order for Bundle::cases[index]; the caller adds role and kernels.
RunOrder estimate_order(const model::Bundle &bundle, std::size_t index,
                        const std::vector<std::string> &waived);

}  // namespace cupilot::judge::engine
