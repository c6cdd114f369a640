// SPDX-License-Identifier: Apache-2.0
//
// What the checks on the device saw of the outputs of timed launches, as a reason to reject or none. Pure.

#pragma once

#include <string>
#include <vector>

#include "evolution/judge/launches/session.h"
#include "evolution/model/verdict.h"

namespace cupilot {

/// Empty: every launch did what the last one did, whose outputs gave `errors` (each with its limit).
/// `deterministic`: the kernel is declared to be.
std::string timed_trouble(const TimedOutputs &seen, const std::vector<OutputError> &errors,
                          bool deterministic);

}  // namespace cupilot
