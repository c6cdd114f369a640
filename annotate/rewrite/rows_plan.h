// SPDX-License-Identifier: Apache-2.0
//
// Which column loops of a row kernel move vectors, which arrays they move, and which of those stay in
// registers from the first loop that needs them to the last.

#pragma once

#include <expected>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "annotate/rewrite/rows_touch.h"

namespace cupilot::rewrite {

struct VectorArray {
  int pointer = -1;
  const Touch *touch = nullptr;  ///< one of them, for the text of its index
  std::vector<const Touch *> touches;
  bool loaded = false, stored = false;
  bool first_of_held = false;       ///< the loop that has to fill the registers
  bool last_store_of_held = false;  ///< the loop that has to write them back
};

struct VectorLoop {
  std::vector<VectorArray> arrays;
};

struct RowPlan {
  std::map<int, VectorLoop> loops;  ///< by index into RowShape::loops
  std::vector<int> held;            ///< pointers whose rows stay in registers
  std::string held_bound;           ///< columns of those, for launch()
  std::set<std::string> multiples;  ///< what has to be a multiple of the width, for launch()
  std::set<int> pointers;           ///< what has to be aligned
};

/// Points into `shape`, which must stay.
std::expected<RowPlan, Obstacle> row_plan(const Kernel &kernel, const RowShape &shape);

}  // namespace cupilot::rewrite
