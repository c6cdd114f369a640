// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose work is a number of units: 101 units take one percent more than 100 of them. Each reads `in`
// and writes `out`, floats both.

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

namespace cupilot::trial {

struct Kernel {
  std::string name;
  std::string bound;           ///< what limits it, for the table
  std::uint64_t elements = 0;  ///< of each buffer, when it does 101 units
  cudaError_t (*launch)(const float *in, float *out, std::uint64_t elements, int units,
                        cudaStream_t stream) = nullptr;
};

const std::vector<Kernel> &kernels();

}  // namespace cupilot::trial
