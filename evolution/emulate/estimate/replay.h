// SPDX-License-Identifier: Apache-2.0
//
// One multiprocessor's time for traced blocks: resident warps issue their instructions in machine order, wait
// for results, and share schedulers, units, L1, and this multiprocessor's part of L2 and memory bandwidth.
// Bytes in flight (Little's law) follow by themselves: a warp waits for its own loads only, so bandwidth is
// what resident warps times loads in flight bring per latency, until a shared part is full.

#pragma once

#include <array>

#include "evolution/emulate/estimate/block_code.h"
#include "evolution/emulate/estimate/trace.h"

namespace cupilot::emulate::estimation {

struct ReplayRequest {
  const Program &program;
  const Trace &trace;
  const DeviceTable &device;
  /// By pc, of sectors the block touches first: part that comes from memory, and what each costs it in bytes.
  std::vector<float> dram_share, dram_bytes;
  double dram_ns_per_byte = 0;
  int resident = 1;          ///< blocks at a time
  std::uint64_t blocks = 1;  ///< on this multiprocessor, one after the other
  double busy_share = 1;     ///< this multiprocessor's part of the device's bandwidth
  double l1_bytes = 0;
};

struct ReplayResult {
  std::vector<double> ends;                                  ///< of each block replayed, cycles
  double issue = 0, lsu = 0, l2 = 0, dram = 0, atomics = 0;  ///< how long each part was taken, cycles
  std::array<double, kPorts> ports{};
  double l2_sectors = 0, dram_bytes = 0, instructions = 0;
};

/// At most `blocks` and at most `most_steps` warp steps; `ends` says how many blocks were replayed.
ReplayResult replay(const ReplayRequest &request, CodeBook &codes, std::size_t most_steps);

}  // namespace cupilot::emulate::estimation
