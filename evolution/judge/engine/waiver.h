// SPDX-License-Identifier: Apache-2.0
//
// Findings in the original that a developer may vouch for (`--waive RULE`). By itself a kernel with one of
// them is no yardstick: what it gives is decided by chance, and nothing is judged by it.

#pragma once

#include <string>
#include <vector>

namespace cupilot {

/// Far from the same kernel in double precision.
inline constexpr const char *kOriginalError = "original-error";

/// The others as the checks of the CPU executor name them.
inline const std::vector<std::string> kWaivableRules{"shared-race", "global-race", "uninitialised-read",
                                                     kOriginalError};

}  // namespace cupilot
