// SPDX-License-Identifier: Apache-2.0
//
// Estimates which share of a launch's sectors comes from memory, and which the L2 still holds because other
// blocks fetched them. One block is compared with blocks at growing distances before it. A sector that a near
// block touched is in the L2 if the data touched in between fits there. Any other sector comes from memory;
// if the launch touches its allocation more than once, the later touches find it in the L2 with the
// probability L2 size / allocation size.
//
// Memory is read in pairs of sectors: a sector whose neighbour no near block touches costs more than its
// bytes, and a partly written sector is read first (measured with stride_read and stride_write).

#pragma once

#include <vector>

#include "evolution/emulate/estimate/estimate.h"

namespace cupilot::emulate::estimate {

struct Reuse {
  /// By pc, for sectors that a block touches first: the share that comes from (goes to) memory, and the
  /// average bytes of memory traffic of each.
  std::vector<float> dram_share, dram_bytes;
  double read_bytes = 0, written_bytes = 0;  ///< memory traffic of one block
  std::vector<std::uint64_t> blocks;         ///< those that were executed
};

/// `steps_of_block`: warp steps of one block, which limits how many blocks are run.
Reuse find_reuse(machine::LoadedProgram &program, memory::Memory &memory,
                 const machine::LaunchRequest &request, const DeviceTable &device,
                 std::size_t steps_of_block);

}  // namespace cupilot::emulate::estimate
