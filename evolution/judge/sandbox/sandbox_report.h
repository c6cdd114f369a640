// SPDX-License-Identifier: Apache-2.0
//
// CUPILOT_SANDBOX=report: nothing is refused, but every call the sandbox would refuse is told once on stderr,
// so that a machine whose driver needs more can be described.

#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/sandbox/system_call_rules.h"

namespace cupilot {

/// Also tells files that are opened for writing or are not below `readable`. Needs no_new_privs.
Result<> report_calls(std::vector<CallRule> rules, const std::vector<std::filesystem::path> &readable,
                      bool device);

}  // namespace cupilot
