// SPDX-License-Identifier: Apache-2.0
//
// Basic blocks of a function and where lanes that part at a branch meet again: the branch's immediate
// post-dominator. Private to program/.

#pragma once

#include "evolution/emulate/program/units.h"

namespace cupilot::emulate {

inline constexpr std::uint32_t kNoBlock = 0xffffffff;

struct BasicBlock {
  std::uint32_t begin = 0, end = 0;  ///< units
  std::vector<std::uint32_t> successors;
  bool leaves = false;            ///< a kernel's thread ends here
  std::uint32_t join = kNoBlock;  ///< immediate post-dominator; none: no way to the end, or only the end
  bool is_join = false;           ///< lanes wait here: some branch's join
};

struct FlowGraph {
  std::vector<BasicBlock> blocks;       ///< in text order; the last one is the epilogue
  std::vector<std::uint32_t> block_of;  ///< by unit
};

FlowGraph make_flow_graph(const std::vector<Unit> &units);

}  // namespace cupilot::emulate
