// SPDX-License-Identifier: Apache-2.0
//
// Coordinate descent over the knobs of the best individuals. One round judges all values of one knob, so that
// the builds run in parallel. The search moves to the best value and continues with the next knob, until a
// whole pass over the knobs gains too little.

#pragma once

#include <vector>

#include "annotate/support/result.h"
#include "evolution/search/evaluator.h"
#include "evolution/search/tune.h"

namespace cupilot::search {

Result<void> descend(Evaluator &evaluator, const TuneSettings &settings);

/// The best individual of each set of strategies, best first. Only individuals whose score is close enough to
/// the best one are returned, at most settings.descents.
std::vector<const Evaluated *> best_of_each(const Evaluator &evaluator, const TuneSettings &settings);

/// A child of `individual` with its knobs set to `values` (in the order of the knobs); it has no id yet.
Result<model::Individual> with_knobs(const model::Individual &individual,
                                     const std::vector<long long> &values);

}  // namespace cupilot::search
