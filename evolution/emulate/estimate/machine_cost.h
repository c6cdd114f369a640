// SPDX-License-Identifier: Apache-2.0
//
// The cost of one PTX instruction in machine code: issue slots, the unit and how long it is busy, and the
// latency of the result. Moves, conversions of address spaces, sign flips and loads of parameters cost
// nothing because ptxas removes them; divisions become sequences of instructions. The counts are derived from
// the throughput figures of the calibration.

#pragma once

#include "evolution/emulate/estimate/estimate.h"

namespace cupilot::emulate::estimate {

enum class Port : std::uint8_t {
  none,
  fma,
  alu,
  imad,
  fp64,
  half,
  special,
  convert,
  bits,
  shuffle,
  reduce,
  tensor
};
inline constexpr int kPorts = 12;

enum class Kind : std::uint8_t { plain, load, store, atomic, barrier, ordering };

struct MachineCost {
  Port port = Port::none;
  Kind kind = Kind::plain;
  bool hoistable = false;  ///< a load that ptxas may move up
  float issues = 1;        ///< issue slots of a scheduler
  float port_cycles = 0;   ///< cycles that the multiprocessor's unit is busy
  float latency = 4;       ///< cycles until the result can be read; for loads set by the memory path
};

MachineCost machine_cost(const ptx::Instruction &instruction, const DeviceTable &device);

}  // namespace cupilot::emulate::estimate
