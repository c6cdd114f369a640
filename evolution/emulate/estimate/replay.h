// SPDX-License-Identifier: Apache-2.0
//
// Simulates one multiprocessor that executes traced blocks. Resident warps issue their instructions in
// machine order, wait for results, and share the schedulers, the units, the L1, and this multiprocessor's
// part of L2 and memory bandwidth. Little's law needs no rule of its own: a warp waits only for its own
// loads, so bandwidth is the bytes in flight of all resident warps divided by the latency, until a shared
// part is saturated.

#pragma once

#include <array>

#include "evolution/emulate/estimate/block_code.h"
#include "evolution/emulate/estimate/trace.h"

namespace cupilot::emulate::estimate {

struct ReplayRequest {
  const program::Program &program;
  const Trace &trace;
  const DeviceTable &device;
  /// By pc, for sectors that the block touches first: the share that comes from memory, and the bytes of
  /// memory traffic of each.
  std::vector<float> dram_share, dram_bytes;
  double dram_ns_per_byte = 0;
  int resident = 1;          ///< blocks resident at a time
  std::uint64_t blocks = 1;  ///< number of blocks that this multiprocessor executes
  double busy_share = 1;     ///< this multiprocessor's share of the device's bandwidth
  double l1_bytes = 0;
};

struct ReplayResult {
  std::vector<double> ends;                                  ///< end of each replayed block, in cycles
  double issue = 0, lsu = 0, l2 = 0, dram = 0, atomics = 0;  ///< busy time of each part, in cycles
  std::array<double, kPorts> ports{};
  double l2_sectors = 0, dram_bytes = 0, instructions = 0;
};

/// Replays at most `blocks` blocks and at most `most_steps` warp steps. `ends` has one value per replayed
/// block.
ReplayResult replay(const ReplayRequest &request, CodeBook &codes, std::size_t most_steps);

}  // namespace cupilot::emulate::estimate
