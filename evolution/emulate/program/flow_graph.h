// SPDX-License-Identifier: Apache-2.0
//
// The basic blocks of a function, and for each branch the place where diverged lanes reconverge: its
// immediate post-dominator. Private to program/.

#pragma once

#include "evolution/emulate/program/units.h"

namespace cupilot::emulate::program {

inline constexpr std::uint32_t kNoBlock = 0xffffffff;

struct BasicBlock {
  std::uint32_t begin = 0, end = 0;  ///< units
  std::vector<std::uint32_t> successors;
  bool leaves = false;            ///< the thread of a kernel ends here
  std::uint32_t join = kNoBlock;  ///< immediate post-dominator; kNoBlock: there is none, or only the end
  bool is_join = false;           ///< lanes of some branch reconverge here
};

struct FlowGraph {
  std::vector<BasicBlock> blocks;       ///< in the order of the text; the last one is the epilogue
  std::vector<std::uint32_t> block_of;  ///< index of the block of each unit
};

FlowGraph make_flow_graph(const std::vector<Unit> &units);

}  // namespace cupilot::emulate::program
