// SPDX-License-Identifier: Apache-2.0
//
// Turns CUDA runtime results into Result<>. The text is the runtime's own, after what was being done.

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "annotate/support/result.h"

namespace cupilot::device::kernels {

[[nodiscard]] inline Result<> cuda_result(cudaError_t code, const char *doing) {
  if (code == cudaSuccess) return {};
  return fail(std::string(doing) + ": " + cudaGetErrorName(code) + " (" + cudaGetErrorString(code) + ")");
}

/// cudaMalloc without the cast.
template <class T>
[[nodiscard]] cudaError_t device_allocate(T **pointer, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void **>(pointer), bytes);
}

}  // namespace cupilot::device::kernels

#define CUPILOT_CUDA(doing, ...) \
  CUPILOT_CHECKED(::cupilot::device::kernels::cuda_result((__VA_ARGS__), doing))
