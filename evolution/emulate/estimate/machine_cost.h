// SPDX-License-Identifier: Apache-2.0
//
// What one PTX instruction becomes in the machine: how many issue slots, which unit for how long, how long
// its result takes. PTX is not machine code: moves, conversions of address spaces, sign flips and loads of
// parameters disappear, divisions become sequences. Counts from the calibration's throughput figures.

#pragma once

#include "evolution/emulate/estimate/estimate.h"

namespace cupilot::emulate::estimation {

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
  bool hoistable = false;  ///< a load that ptxas moves up freely
  float issues = 1;        ///< slots of a scheduler
  float port_cycles = 0;   ///< of a multiprocessor's unit
  float latency = 4;       ///< until the result may be read; loads: set by the memory system
};

MachineCost machine_cost(const ptx::Instruction &instruction, const DeviceTable &device);

}  // namespace cupilot::emulate::estimation
