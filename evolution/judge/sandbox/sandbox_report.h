// SPDX-License-Identifier: Apache-2.0
//
// Implements CUPILOT_SANDBOX=report: nothing is refused, but each call that the sandbox would refuse is
// printed once on stderr. This shows what the driver of a new machine needs.

#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/sandbox/system_call_rules.h"

namespace cupilot::judge::sandbox {

/// Also reports files that are opened for writing or are not below `readable`. Needs no_new_privs.
Result<> report_calls(std::vector<CallRule> rules, const std::vector<std::filesystem::path> &readable,
                      bool device);

}  // namespace cupilot::judge::sandbox
