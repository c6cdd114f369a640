// SPDX-License-Identifier: Apache-2.0
//
// The grid of our own kernels, which loop over their items with the grid's stride. C++17 and the CUDA runtime
// only; internal to this folder.

#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace cupilot::device::kernels {

inline constexpr int kThreads = 256;  ///< a block
inline constexpr int kMostBlocksPerMultiprocessor = 16;

/// The multiprocessors of the current device, as the first call found them; 1 where there is none.
inline unsigned multiprocessors() {
  static const unsigned count = [] {
    int device = 0, found = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
      return 1u;
    return static_cast<unsigned>(std::max(found, 1));
  }();
  return count;
}

/// Blocks for that many items: at least one, and no more than the device holds at a time.
inline unsigned blocks_for(std::uint64_t items) {
  const std::uint64_t most = std::uint64_t{multiprocessors()} * kMostBlocksPerMultiprocessor;
  return static_cast<unsigned>(std::clamp<std::uint64_t>((items + kThreads - 1) / kThreads, 1, most));
}

}  // namespace cupilot::device::kernels
