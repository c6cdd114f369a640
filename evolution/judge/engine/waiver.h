// SPDX-License-Identifier: Apache-2.0
//
// Findings in the original that a developer may waive (`--waive RULE`). Without the waiver such a kernel
// cannot serve as the reference, because its outputs may change from run to run or are inaccurate.

#pragma once

#include <string>
#include <vector>

namespace cupilot::judge::engine {

/// The outputs are far from the same kernel in double precision.
inline constexpr const char *kOriginalError = "original-error";

/// All rules that can be waived; the others have the names of the emulated device's checks.
inline const std::vector<std::string> kWaivableRules{"shared-race", "global-race", "uninitialised-read",
                                                     kOriginalError};

}  // namespace cupilot::judge::engine
