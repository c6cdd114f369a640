// SPDX-License-Identifier: Apache-2.0
//
// The limits, sizes and counts that programs can query, for each architecture. One GPU represents each
// architecture; the figures are NVIDIA's published ones.

#pragma once

#include <cstdint>
#include <string>

#include "annotate/support/result.h"

namespace cupilot::emulate::runtime {

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
/// Registers per thread in occupancy queries, since PTX does not give the number.
inline constexpr int kAssumedRegisters = 32;

/// Finds a model by "sm_90", "sm_90a" or "90"; the error lists the known ones.
Result<DeviceModel> device_model(const std::string &architecture);

struct BlockResources {
  int threads = 1, registers = kAssumedRegisters;
  std::uint64_t shared_bytes = 0;  ///< static and dynamic
};
/// Number of blocks of one kernel that are resident on one multiprocessor; 0: the block does not fit.
int resident_blocks(const DeviceModel &model, const BlockResources &block);

}  // namespace cupilot::emulate::runtime
