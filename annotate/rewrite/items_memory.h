// SPDX-License-Identifier: Apache-2.0
//
// Which arrays an item touches only as `pointer[index]`, in which order, and what may overlap.

#pragma once

#include <expected>

#include "annotate/rewrite/items_shape.h"

namespace cupilot::rewrite {

/// Fills `arrays`, `overlaps` and `narrow` of a shape whose statements are known. Fails when items that run
/// in one thread of the original could see each other's stores.
std::expected<void, Obstacle> find_item_arrays(const Kernel &kernel, ItemShape &shape);

}  // namespace cupilot::rewrite
