// SPDX-License-Identifier: Apache-2.0
//
// How many blocks of a kernel one multiprocessor holds at a time, from what the device says of its limits:
// the rules of the CUDA programming guide ("Compute Capabilities"). Registers go to warps in units of 256,
// and a multiprocessor's four parts share them; shared memory goes to blocks in units of 128 bytes.

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

/// 0: not even one fits.
int resident_blocks(const ProcessorLimits &limits, const BlockNeeds &block);

}  // namespace cupilot::launches
