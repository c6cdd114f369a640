// SPDX-License-Identifier: Apache-2.0
//
// Reads the options of the emulated device from the environment: CUPILOT_EMULATE_ARCH (sm_90), _CHECKS
// (races,init,all,none), _THREADS, _MEMORY_MB, _BUDGET (warp instructions of a block), _LOG, _ONLY_LOG (1),
// and _REPORT (a file that findings are appended to, one JSON object a line).

#pragma once

#include <string>

#include "evolution/emulate/runtime/device.h"

namespace cupilot::emulate::runtime {

Result<machine::Checks> parse_checks(const std::string &text);
Result<DeviceOptions> options_from_environment();

}  // namespace cupilot::emulate::runtime
