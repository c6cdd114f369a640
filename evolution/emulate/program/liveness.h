// SPDX-License-Identifier: Apache-2.0
//
// From where to where each register of a function carries a value. Lanes that diverged keep their values in
// the same places, but each lane touches only its own, so the view of one lane is enough. Private to
// program/.

#pragma once

#include "evolution/emulate/program/flow_graph.h"

namespace cupilot::emulate {

/// What one unit does to registers.
struct RegisterUse {
  std::vector<std::uint32_t> reads, defines;
  bool partial = false;  ///< guarded: the old value may survive
};

struct Liveness {
  struct Range {
    std::uint32_t first = kNowhere, last = 0;  ///< units, both included; first kNowhere: never used
  };
  std::vector<Range> ranges;             ///< by register
  std::vector<std::uint32_t> unwritten;  ///< may be read before they are written
};

Liveness find_liveness(const FlowGraph &graph, const std::vector<RegisterUse> &uses, std::size_t registers);

}  // namespace cupilot::emulate
