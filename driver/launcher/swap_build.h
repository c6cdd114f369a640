// SPDX-License-Identifier: Apache-2.0
//
// One compiler command from start to end: decide, write the wrapper, compile, check, tell the build system
// what the object depends on. Whatever goes wrong, the user's own command runs and its exit code is the
// answer.

#pragma once

#include <string>
#include <vector>

#include "driver/launcher/plan.h"

namespace cupilot::launcher {

/// Returns the compiler's exit code, or does not return at all.
int build(const Settings &settings, const std::vector<std::string> &command);

}  // namespace cupilot::launcher
