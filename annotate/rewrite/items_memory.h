// SPDX-License-Identifier: Apache-2.0
//
// Finds the arrays that an item accesses only as `pointer[index]`, the order of the accesses, and which
// arrays may overlap.

#pragma once

#include <expected>

#include "annotate/rewrite/items_shape.h"

namespace cupilot::rewrite {

/// Fills `arrays`, `overlaps` and `narrow` of a shape whose statements are known. Fails when several items
/// that one thread of the original runs could see each other's stores.
std::expected<void, Obstacle> find_item_arrays(const Kernel &kernel, ItemShape &shape);

}  // namespace cupilot::rewrite
