// SPDX-License-Identifier: Apache-2.0
//
// What the estimate sees of a run. The observer is called in the executing thread, and an observed launch
// runs on one thread.

#pragma once

#include <cstdint>

#include "evolution/emulate/program/step.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate {

struct AccessSeen {
  ptx::Space space = ptx::Space::global;  ///< resolved: generic addresses are told apart
  std::uint8_t bytes = 4;                 ///< of one lane, vector accesses in all
  bool write = false, atomic = false, asynchronous = false;
  Mask mask = 0;
  const std::uint64_t *address = nullptr;  ///< 32 lanes; shared and local: offsets
};

class Observer {
public:
  virtual ~Observer() = default;
  /// A block becomes resident; `slot` is its place among those that run together.
  virtual void block_begins(std::uint64_t /*block*/, unsigned /*slot*/, unsigned /*warps*/) {}
  virtual void block_ends(std::uint64_t /*block*/, unsigned /*slot*/) {}
  /// Before each step that at least one lane executes.
  virtual void step(unsigned /*slot*/, unsigned /*warp*/, std::uint32_t /*pc*/, Mask /*mask*/) {}
  /// Within a step that accesses memory.
  virtual void access(unsigned /*slot*/, unsigned /*warp*/, std::uint32_t /*pc*/, const AccessSeen &) {}
};

}  // namespace cupilot::emulate
