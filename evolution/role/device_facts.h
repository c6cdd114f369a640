// SPDX-License-Identifier: Apache-2.0
//
// What a role is told of an architecture before anything was measured on a device of it.

#pragma once

#include <string>
#include <vector>

namespace cupilot {

/// Of a multiprocessor and of a warp, the same on all architectures known here.
inline constexpr int kRegisters = 65536, kWarpThreads = 32;

/// Facts, one a line, for KernelBrief::device. `architecture`: "sm_90", or "sm_90a" where the code is
/// compiled for that very architecture. Empty for one that is not known here.
std::vector<std::string> device_facts(const std::string &architecture);

}  // namespace cupilot
