// SPDX-License-Identifier: Apache-2.0
//
// Which part of a launch's sectors come from memory and which the L2 still holds from other blocks. One block
// is compared with blocks at growing distances before it: what a near one touched is in the L2 when the data
// touched in between fits there; what nobody near touched comes from memory, or, when the launch touches an
// allocation more often than once, from the L2 with the chance of its share of the allocation.
//
// Memory is read in pairs of sectors: a sector whose neighbour nobody near touches costs more than its bytes,
// and one of which only a part is written is read first. (Measured with stride_read and stride_write.)

#pragma once

#include <vector>

#include "evolution/emulate/estimate/estimate.h"

namespace cupilot::emulate::estimation {

struct Reuse {
  /// By pc, of sectors a block touches first: the part that comes from (goes to) memory, and the bytes that
  /// costs on average.
  std::vector<float> dram_share, dram_bytes;
  double read_bytes = 0, written_bytes = 0;  ///< of memory, by one block
  std::uint64_t blocks_run = 0;
};

/// `steps_of_block`: what a block costs to run; bounds how many are.
Reuse find_reuse(LoadedProgram &program, Memory &memory, const LaunchRequest &request,
                 const DeviceTable &device, std::size_t steps_of_block);

}  // namespace cupilot::emulate::estimation
