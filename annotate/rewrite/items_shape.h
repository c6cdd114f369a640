// SPDX-License-Identifier: Apache-2.0
//
// Recognises kernels whose threads work on independent items `0 .. bound-1`, one per thread or in a
// grid-stride loop, and determines how each item accesses memory.

#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/draft.h"

namespace cupilot::rewrite {

/// An array that an item accesses only as `pointer[index]`. It may be held in a register while the item runs.
struct ItemArray {
  int pointer = -1;
  bool loaded = false;  ///< the old content is needed
  bool stored = false;
  std::vector<const Node *> uses;
};

/// Two arrays that launch() must compare. `strict`: even equal addresses would change the results.
struct Overlap {
  int written = -1, other = -1;
  bool strict = false;
};

struct ItemShape {
  int index = -1;
  std::optional<std::int64_t> block;     ///< a constant used in place of blockDim.x
  std::string bound;                     ///< as an expression for launch(); empty: every thread has an item
  bool loop = false;                     ///< a grid-stride loop: any grid size covers all items
  std::vector<const Node *> statements;  ///< of one item
  Edits edits;                           ///< the edits that make the statements the body of a function
  std::vector<ItemArray> arrays;         ///< arrays that may be held in registers
  std::vector<Overlap> overlaps;
  std::optional<Obstacle> narrow;  ///< why the first rejected array cannot be held in registers
};

/// Everything but the arrays: which items there are and what each one does.
std::expected<ItemShape, Obstacle> item_frame(const Kernel &kernel);
std::expected<ItemShape, Obstacle> item_shape(const Kernel &kernel);

/// `node` as an expression that launch() can evaluate. It consists of parameters and constants; locals are
/// replaced by the expressions they stand for. nullopt when that is impossible.
std::optional<std::string> host_text(const Kernel &kernel, const Node &node);

}  // namespace cupilot::rewrite
