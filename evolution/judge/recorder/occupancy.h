// SPDX-License-Identifier: Apache-2.0
//
// Calculates how many blocks of a kernel are resident on one multiprocessor at a time, from the limits that
// the device reports. The rules are those of the CUDA programming guide ("Compute Capabilities"): registers
// are allocated to warps in units of 256 and are split over the multiprocessor's four partitions; shared
// memory is allocated to blocks in units of 128 bytes.

#pragma once

#include <cstdint>

namespace cupilot::launches {

struct ProcessorLimits {
  int threads = 2048, blocks = 32, registers = 65536, threads_per_block = 1024;
  std::uint64_t shared_bytes = 228 << 10, reserved_shared_bytes = 1 << 10;
};

struct BlockNeeds {
  int threads = 1, registers = 32;
  std::uint64_t shared_bytes = 0;  ///< static and dynamic
};

/// Returns 0 if not even one block fits.
int resident_blocks(const ProcessorLimits &limits, const BlockNeeds &block);

}  // namespace cupilot::launches
