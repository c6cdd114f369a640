// SPDX-License-Identifier: Apache-2.0
//
// The interface through which the estimate watches a run. The observer is called in the executing thread, and
// an observed launch runs on one thread.

#pragma once

#include <cstdint>

#include "evolution/emulate/program/step.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::machine {

struct AccessSeen {
  ptx::Space space = ptx::Space::global;  ///< never generic: generic addresses have been resolved
  std::uint8_t bytes = 4;                 ///< bytes of one lane, all members of a vector included
  bool write = false, atomic = false, asynchronous = false;
  program::Mask mask = 0;
  const std::uint64_t *address = nullptr;  ///< 32 lanes; shared and local: offsets
};

class Observer {
public:
  virtual ~Observer() = default;
  /// A block becomes resident; `slot` is its index among the resident blocks.
  virtual void block_begins(std::uint64_t /*block*/, unsigned /*slot*/, unsigned /*warps*/) {}
  virtual void block_ends(std::uint64_t /*block*/, unsigned /*slot*/) {}
  /// Called before each step that at least one lane executes.
  virtual void step(unsigned /*slot*/, unsigned /*warp*/, std::uint32_t /*pc*/, program::Mask /*mask*/) {}
  /// Called within a step that accesses memory.
  virtual void access(unsigned /*slot*/, unsigned /*warp*/, std::uint32_t /*pc*/, const AccessSeen &) {}
};

}  // namespace cupilot::emulate::machine
