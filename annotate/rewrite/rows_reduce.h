// SPDX-License-Identifier: Apache-2.0
//
// Recognises how a loop accumulates values into a variable.

#pragma once

#include <optional>

#include "annotate/rewrite/rows_shape.h"

namespace cupilot::rewrite {

/// How `body` accumulates into `variable`, or why the lanes cannot share this work.
std::expected<Accumulator, Obstacle> accumulator(const Kernel &kernel, const Node &body, int variable);

/// Whether the variable's start value is the identity of the operation, so that every lane may start from it.
bool starts_at_identity(const Kernel &kernel, const RowShape &shape, int part,
                        const Accumulator &accumulator);

}  // namespace cupilot::rewrite
