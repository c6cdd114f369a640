// SPDX-License-Identifier: Apache-2.0
//
// What a GPU of an architecture has, as far as programs ask for it: limits, sizes, counts. One GPU stands for
// each architecture; figures are NVIDIA's public ones.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "annotate/support/result.h"

namespace cupilot::emulate {

struct DeviceModel {
  unsigned architecture = 90;  ///< 90: compute capability 9.0
  int processors = 132;        ///< multiprocessors
  int threads_per_processor = 2048, blocks_per_processor = 32;
  std::uint32_t shared_per_processor = 228 << 10, shared_per_block_most = 227 << 10;
  std::uint32_t l2_bytes = 50 << 20;
  int clock_khz = 1'980'000, memory_clock_khz = 2'619'000, bus_bits = 5120;
  int fp32_to_fp64 = 2;
};

inline constexpr std::uint32_t kSharedPerBlock = 48 << 10, kSharedReserved = 1 << 10;
inline constexpr int kRegistersPerProcessor = 65536, kThreadsPerBlock = 1024, kWarpSize = 32;

std::span<const DeviceModel> device_models();
/// By "sm_90", "sm_90a" or "90"; the error lists those there are.
Result<DeviceModel> device_model(const std::string &architecture);

struct BlockResources {
  int threads = 1, registers = 32;
  std::uint64_t shared_bytes = 0;  ///< static and dynamic
};
/// Blocks of one kernel that fit on one multiprocessor together; 0: none does.
int resident_blocks(const DeviceModel &model, const BlockResources &block);

}  // namespace cupilot::emulate
