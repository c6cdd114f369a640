// SPDX-License-Identifier: Apache-2.0
//
// What a role is told about an architecture before anything was measured on such a device.

#pragma once

#include <string>
#include <vector>

namespace cupilot::role {

/// Registers of a multiprocessor and threads of a warp; the same on all architectures known here.
inline constexpr int kRegisters = 65536, kWarpThreads = 32;

/// Facts for KernelBrief::device, one a line. `architecture` is "sm_90", or "sm_90a" if the code is compiled
/// for exactly that architecture. Empty for an unknown architecture.
std::vector<std::string> device_facts(const std::string &architecture);

}  // namespace cupilot::role
