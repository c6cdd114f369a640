// SPDX-License-Identifier: Apache-2.0
//
// Independent loops over the few elements that are a thread's, made so plain that merge_axes sees that they
// go on where the next thread's begin. Pure.

#pragma once

#include <vector>

#include "annotate/spec/lifted.h"

namespace cupilot::lift {

/// A loop over few elements that ends at a number of them or at what is left (`min(8, n - first)`, from
/// `first` to `min(first + 8, n)`) goes on to that number from 0, and what it does stands under a condition.
void even_out(std::vector<spec::Statement> &body);

/// Of what is evened out:
/// - A condition over nothing but such a loop stands in it, or is gone where the other says the same.
/// - Constants before the only loop of another stand in it.
void even_chunks(std::vector<spec::Statement> &body);

}  // namespace cupilot::lift
