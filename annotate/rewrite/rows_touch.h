// SPDX-License-Identifier: Apache-2.0
//
// Memory in row kernels: what each access is in terms of row and column, and whether lanes could disturb each
// other.

#pragma once

#include <expected>

#include "annotate/rewrite/rows_shape.h"

namespace cupilot::rewrite {

/// Fills `touches` and refuses what the lanes could see in another order than the original's one thread did.
std::expected<void, Obstacle> find_touches(const Kernel &kernel, RowShape &shape);

/// Pointers launch() has to compare, from the touches; what cannot be compared is refused by find_touches.
std::vector<Overlap> row_overlaps(const Kernel &kernel, const RowShape &shape);

/// Elements a pointer is touched in, as an expression for launch(); empty when unknown.
std::string row_extent(const Kernel &kernel, const RowShape &shape, int pointer, const std::string &rows);

}  // namespace cupilot::rewrite
