// SPDX-License-Identifier: Apache-2.0
//
// What a role is told of an architecture before anything was measured on a device of it.

#pragma once

#include <string>
#include <vector>

namespace cupilot {

/// Facts, one a line, for KernelBrief::device. `architecture`: "sm_90", or "sm_90a" where the code is
/// compiled for that very architecture. Empty for one that is not known here.
std::vector<std::string> device_facts(const std::string &architecture);

}  // namespace cupilot
