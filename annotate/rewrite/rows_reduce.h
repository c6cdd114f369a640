// SPDX-License-Identifier: Apache-2.0
//
// Recognises how a loop accumulates into a variable.

#pragma once

#include <optional>

#include "annotate/rewrite/rows_shape.h"

namespace cupilot::rewrite {

/// How `body` accumulates into `variable`, or why the lanes cannot share the work out.
std::expected<Accumulator, Obstacle> accumulator(const Kernel &kernel, const Node &body, int variable);

/// Whether every lane may start from the variable's own start value: it is the operation's identity.
bool starts_at_identity(const Kernel &kernel, const RowShape &shape, int part,
                        const Accumulator &accumulator);

}  // namespace cupilot::rewrite
