// SPDX-License-Identifier: Apache-2.0
//
// Computes the live range of each register of a function. Diverged lanes share registers, but each lane
// touches only its own part, so it is enough to analyse one lane. Private to program/.

#pragma once

#include "evolution/emulate/program/flow_graph.h"

namespace cupilot::emulate::program {

/// The registers that one unit reads and writes.
struct RegisterUse {
  std::vector<std::uint32_t> reads, defines;
  bool partial = false;  ///< guarded by a predicate, so the old value may remain
};

struct Liveness {
  struct Range {
    std::uint32_t first = kNowhere, last = 0;  ///< first and last unit; `first` kNowhere: never used
  };
  std::vector<Range> ranges;             ///< by register
  std::vector<std::uint32_t> unwritten;  ///< registers that may be read before they are written
};

Liveness find_liveness(const FlowGraph &graph, const std::vector<RegisterUse> &uses, std::size_t registers);

}  // namespace cupilot::emulate::program
