// SPDX-License-Identifier: Apache-2.0
//
// Occupancy: how many blocks of a launch one multiprocessor holds at a time, by the limits in the CUDA
// programming guide ("Compute Capabilities", technical specifications). Registers are given to warps in units
// of 256.

#pragma once

#include "evolution/emulate/estimate/estimate.h"

namespace cupilot::emulate::estimate {

struct Residency {
  int blocks = 0;          ///< 0: the block cannot run at all
  int warps = 0;           ///< warps of one block
  const char *limit = "";  ///< "threads", "registers", "shared memory", "blocks"
};

Residency residency(int threads, int registers, std::uint64_t shared_bytes, const DeviceTable &device);

}  // namespace cupilot::emulate::estimate
