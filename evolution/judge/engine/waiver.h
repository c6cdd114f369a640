// SPDX-License-Identifier: Apache-2.0
//
// Findings, most of them in the original, that a developer may waive (`--waive RULE`). Without the waiver
// such a kernel cannot serve as the reference: its outputs may change from run to run, are inaccurate, or say
// nothing.

#pragma once

#include <string>
#include <vector>

#include "evolution/judge/correct/reference_checks.h"

namespace cupilot::judge::engine {

/// The outputs are far from the same kernel in double precision.
inline constexpr const char *kOriginalError = "original-error";

/// Code of a candidate that no compared run executes; it is named in verdict and record. Not of the original.
inline constexpr const char *kUncovered = "coverage";

/// All rules that can be waived; the others have the names of the emulated device's checks.
inline const std::vector<std::string> kWaivableRules{"shared-race",  "global-race", "uninitialised-read",
                                                     kOriginalError, kUncovered,    correct::kNoRandomInput};

/// Checks that need no waiver: many kernels of old fail them and give right results on the GPUs that they
/// were written for. The original gets a warning, and candidates are judged without the check; candidates of
/// an original that passes it must pass it, too.
inline const std::vector<std::string> kToleratedRules{"warp-race", "shared-overrun"};

}  // namespace cupilot::judge::engine
