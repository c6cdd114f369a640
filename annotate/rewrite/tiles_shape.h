// SPDX-License-Identifier: Apache-2.0
//
// Recognises kernels that work on shared tiles. The code between two barriers is a phase. A block of the
// variant can run each phase for several of the original's blocks before it continues with the next phase.

#pragma once

#include <expected>
#include <vector>

#include "annotate/rewrite/analysis.h"

namespace cupilot::rewrite {

/// `local = value` at the top level of the kernel: index arithmetic that may be repeated, declared there or
/// before.
struct Definition {
  int variable = -1;
  const Node *value = nullptr;
  const Node *statement = nullptr;
};

struct Phase {
  std::vector<Definition> before;  ///< definitions that the actions need, in order
  std::vector<const Node *> actions;
  /// Stores of global data into shared memory whose loads may all be issued before the first store. If empty,
  /// the phase is not split.
  std::vector<const Node *> fetches;
};

struct TileShape {
  std::vector<const Node *> shared;  ///< statements that declare shared arrays
  std::vector<Phase> phases;
  bool uses[3] = {false, false, false};  ///< whether blockIdx.x, .y, .z are used
};

std::expected<TileShape, Obstacle> tile_shape(const Kernel &kernel);

/// In which iteration of the constant loops around it `node` runs (an expression), and how many iterations
/// there are. The count is 0 when it is not constant or too large.
struct Turn {
  std::string index = "0";
  std::int64_t count = 1;
};
Turn turn_of(const Kernel &kernel, const Node &tree, const Node &node);

}  // namespace cupilot::rewrite
