// SPDX-License-Identifier: Apache-2.0
//
// How long each kernel of the process took on the device, for a while (CUPTI documentation, "CUPTI Activity
// API"). It is what tells the kernels of a graph apart: events go around the whole graph only.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::watcher {

struct TimedKernel {
  std::string symbol;  ///< mangled
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  double us = 0;
};

class KernelTimes {
public:
  KernelTimes(const KernelTimes &) = delete;
  KernelTimes &operator=(const KernelTimes &) = delete;
  static KernelTimes &of_process();

  /// False: this CUPTI cannot, or another tool of the process does it.
  bool begin();
  /// Kernels that have ended since begin(), in the order of their ends. Who calls has waited for them.
  std::vector<TimedKernel> end();

private:
  KernelTimes() = default;
};

}  // namespace cupilot::watcher
