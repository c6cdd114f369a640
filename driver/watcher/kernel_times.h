// SPDX-License-Identifier: Apache-2.0
//
// How long each kernel of the process took on the device, for a while (CUPTI documentation, "CUPTI Activity
// API"). It is what tells the kernels of a graph apart: events go around the whole graph only.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cupilot::watcher {

struct TimedKernel {
  std::string symbol;  ///< mangled
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  double us = 0;
};

/// False: this CUPTI cannot, or another tool of the process does it.
bool begin_kernel_times();
/// Kernels that have ended since the beginning, in the order of their ends. Who calls has waited for them.
std::vector<TimedKernel> end_kernel_times();

}  // namespace cupilot::watcher
