// SPDX-License-Identifier: Apache-2.0
//
// The launches of a process, told by CUPTI's callbacks (CUPTI documentation, "CUPTI Callback API").

#pragma once

#include <cuda.h>

#include <array>
#include <cstdint>

#include "annotate/support/result.h"

namespace cupilot::watcher {

struct DriverLaunch {
  const char *symbol = nullptr;  ///< mangled
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  CUstream stream = nullptr;
  void **arguments = nullptr;  ///< a pointer to each; nullptr: given in another way
};

/// Both are called in the thread that launches. `place` is the launch's own, zero when it begins.
struct LaunchCallbacks {
  void (*begins)(const DriverLaunch &launch, std::uint64_t *place) = nullptr;
  void (*ended)(const DriverLaunch &launch, std::uint64_t *place) = nullptr;  ///< it has been queued
};

/// From now on all launches of the process are told, for as long as it lives.
Result<> subscribe(const LaunchCallbacks &callbacks);

}  // namespace cupilot::watcher
