// SPDX-License-Identifier: Apache-2.0
//
// Decides for a row kernel which column loops use vector accesses, for which arrays, and which arrays stay in
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
  const Touch *touch = nullptr;  ///< one of the touches, which gives the text of the index
  std::vector<const Touch *> touches;
  bool loaded = false, stored = false;
  bool first_of_held = false;       ///< this loop has to fill the registers
  bool last_store_of_held = false;  ///< this loop has to write the registers back
};

struct VectorLoop {
  std::vector<VectorArray> arrays;
};

struct RowPlan {
  std::map<int, VectorLoop> loops;  ///< by index in RowShape::loops
  std::vector<int> held;            ///< pointers whose rows stay in registers
  std::string held_bound;           ///< number of columns of the held rows, for launch()
  std::set<std::string> multiples;  ///< expressions that must be multiples of the vector width, for launch()
  std::set<int> pointers;           ///< pointers that must be aligned
};

/// The result points into `shape`, which must outlive it.
std::expected<RowPlan, Obstacle> row_plan(const Kernel &kernel, const RowShape &shape);

}  // namespace cupilot::rewrite
