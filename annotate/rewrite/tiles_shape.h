// SPDX-License-Identifier: Apache-2.0
//
// Kernels that work on shared tiles: what happens between two barriers is a phase, and a block can run each
// phase for several of the original's blocks before it goes on to the next.

#pragma once

#include <expected>
#include <vector>

#include "annotate/rewrite/analysis.h"

namespace cupilot::rewrite {

/// `local = value` at the top of the kernel, a declaration or not: index arithmetic that may be done again.
struct Definition {
  int variable = -1;
  const Node *value = nullptr;
  const Node *statement = nullptr;
};

struct Phase {
  std::vector<Definition> before;  ///< definitions the actions need, in order
  std::vector<const Node *> actions;
  /// Stores of global data into shared memory, where loads can go ahead of all stores; empty: the phase stays
  /// whole.
  std::vector<const Node *> fetches;
};

struct TileShape {
  std::vector<const Node *> shared;  ///< declaration statements of shared arrays
  std::vector<Phase> phases;
  bool uses[3] = {false, false, false};  ///< blockIdx.x, .y, .z
};

std::expected<TileShape, Obstacle> tile_shape(const Kernel &kernel);

/// Which turn of its constant loops `node` runs in, as text, and how many turns there are; 0 when not
/// constant.
struct Turn {
  std::string index = "0";
  std::int64_t count = 1;
};
Turn turn_of(const Kernel &kernel, const Node &tree, const Node &node);

}  // namespace cupilot::rewrite
