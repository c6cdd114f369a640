// SPDX-License-Identifier: Apache-2.0
//
// The reference kernels as the CUDA runtime launches them.

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <string>

#include "tests/emulate/estimate/reference_fill.h"

namespace cupilot::reference {

std::map<std::string, const void *> old_kernels();
std::map<std::string, const void *> fresh_kernels();
cudaError_t fill_buffer(void *buffer, std::uint64_t bytes, Fill fill, std::uint32_t limit,
                        cudaStream_t stream);

}  // namespace cupilot::reference
