// SPDX-License-Identifier: Apache-2.0
//
// What programs can ask about a GPU of an architecture: limits, sizes and counts. One GPU stands for each
// architecture; the figures are NVIDIA's public ones.

#pragma once

#include <cstdint>
#include <string>

#include "annotate/support/result.h"

namespace cupilot::emulate {

struct DeviceModel {
  unsigned architecture = 0;  ///< 90: compute capability 9.0
  int processors = 0;         ///< multiprocessors
  int threads_per_processor = 0, blocks_per_processor = 0;
  std::uint32_t shared_per_processor = 0, shared_per_block_most = 0;
  std::uint32_t l2_bytes = 0;
  int clock_khz = 0, memory_clock_khz = 0, bus_bits = 0;
  int fp32_to_fp64 = 0;
};

inline constexpr std::uint32_t kSharedPerBlock = 48 << 10, kSharedReserved = 1 << 10;
inline constexpr int kRegistersPerProcessor = 65536, kThreadsPerBlock = 1024, kWarpSize = 32;
/// PTX does not say how many registers a thread of a kernel will use.
inline constexpr int kAssumedRegisters = 32;

/// By "sm_90", "sm_90a" or "90"; the error lists those there are.
Result<DeviceModel> device_model(const std::string &architecture);

struct BlockResources {
  int threads = 1, registers = kAssumedRegisters;
  std::uint64_t shared_bytes = 0;  ///< static and dynamic
};
/// Blocks of one kernel that fit on one multiprocessor together; 0: none does.
int resident_blocks(const DeviceModel &model, const BlockResources &block);

}  // namespace cupilot::emulate
