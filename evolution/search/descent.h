// SPDX-License-Identifier: Apache-2.0
//
// Coordinate descent over the knobs of the best few individuals: all values of one knob at a time in one
// round, so that their builds run side by side; move to the best value; next knob; until a whole pass gains
// too little.

#pragma once

#include <vector>

#include "annotate/support/result.h"
#include "evolution/search/evaluator.h"
#include "evolution/search/tune.h"

namespace cupilot {

Result<void> descend(Evaluator &evaluator, const TuneSettings &settings);

/// The best individual of each set of strategies, best first, those within reach of the best one; at most
/// settings.descents.
std::vector<const Evaluated *> best_of_each(const Evaluator &evaluator, const TuneSettings &settings);

/// The same variant with its knobs at these values, in their order; a child of it, without an id.
Result<Individual> with_knobs(const Individual &individual, const std::vector<long long> &values);

}  // namespace cupilot
