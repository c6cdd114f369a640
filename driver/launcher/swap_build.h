// SPDX-License-Identifier: Apache-2.0
//
// Carries out one compiler command: it decides which kernels are swapped, writes the wrapper, compiles it,
// checks the object and tells the build system what the object depends on. Whatever goes wrong, the user's
// own command runs, and its exit code is the result.

#pragma once

#include <string>
#include <vector>

#include "driver/launcher/plan.h"

namespace cupilot::launcher {

/// Returns the compiler's exit code. It does not return when the compiler replaces this process.
int build(const Settings &settings, const std::vector<std::string> &command);

}  // namespace cupilot::launcher
