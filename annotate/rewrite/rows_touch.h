// SPDX-License-Identifier: Apache-2.0
//
// Memory accesses of row kernels: how each index depends on row and column, and whether lanes could interfere
// with each other.

#pragma once

#include <expected>

#include "annotate/rewrite/rows_shape.h"

namespace cupilot::rewrite {

/// Fills `touches`. Refuses accesses that the lanes could perform in another order than the original's one
/// thread.
std::expected<void, Obstacle> find_touches(const Kernel &kernel, RowShape &shape);

/// The pointers that launch() must compare. find_touches has refused those that cannot be compared.
std::vector<Overlap> row_overlaps(const Kernel &kernel, const RowShape &shape);

/// The number of elements accessed through a pointer, as an expression for launch(); empty when unknown.
std::string row_extent(const Kernel &kernel, const RowShape &shape, int pointer, const std::string &rows);

}  // namespace cupilot::rewrite
