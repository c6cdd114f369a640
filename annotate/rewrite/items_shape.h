// SPDX-License-Identifier: Apache-2.0
//
// Recognises kernels whose threads work on independent items `0 .. bound-1`, one a thread or in a grid-stride
// loop, and how each item touches memory.

#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/draft.h"

namespace cupilot::rewrite {

/// `pointer[index]` everywhere in an item: may be held in a register while the item runs.
struct ItemArray {
  int pointer = -1;
  bool loaded = false;  ///< its old content is needed
  bool stored = false;
  std::vector<const Node *> uses;
};

/// Two arrays launch() has to look at: `strict` when even the very same address would change results.
struct Overlap {
  int written = -1, other = -1;
  bool strict = false;
};

struct ItemShape {
  int index = -1;
  std::optional<std::int64_t> block;     ///< a constant in place of blockDim.x
  std::string bound;                     ///< as launch() may write it; empty: every thread is an item
  bool loop = false;                     ///< a grid-stride loop: any grid covers all items
  std::vector<const Node *> statements;  ///< of one item
  Edits edits;                           ///< that make them the body of a function
  std::vector<ItemArray> arrays;         ///< that may be held in registers
  std::vector<Overlap> overlaps;
  std::optional<Obstacle> narrow;  ///< why the first array that was left out was
};

/// Everything but the arrays: who the items are and what one does.
std::expected<ItemShape, Obstacle> item_frame(const Kernel &kernel);
std::expected<ItemShape, Obstacle> item_shape(const Kernel &kernel);

/// `node` as launch() may write it: parameters and constants, locals that stand for such an expression
/// written out.
std::optional<std::string> host_text(const Kernel &kernel, const Node &node);

}  // namespace cupilot::rewrite
