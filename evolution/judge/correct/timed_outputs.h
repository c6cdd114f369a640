// SPDX-License-Identifier: Apache-2.0
//
// Turns the device's checks of the outputs of timed launches into a reason to reject the candidate, or none.
// Pure.

#pragma once

#include <string>
#include <vector>

#include "evolution/judge/launches/session.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::correct {

/// Empty if the outputs of all launches agree within the limits in `errors`, which come from the comparison
/// of the last launch. `deterministic`: the kernel is declared deterministic.
std::string timed_trouble(const launches::TimedOutputs &seen, const std::vector<model::OutputError> &errors,
                          bool deterministic);

}  // namespace cupilot::judge::correct
