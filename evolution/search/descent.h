// SPDX-License-Identifier: Apache-2.0
//
// Coordinate descent over the knobs of the best few individuals: all values of one knob at a time in one
// round, so that their builds run side by side; move to the best value; next knob; until a whole pass gains
// too little.

#pragma once

#include "annotate/support/result.h"
#include "evolution/search/evaluator.h"
#include "evolution/search/tune.h"

namespace cupilot {

Result<void> descend(Evaluator &evaluator, const TuneSettings &settings);

}  // namespace cupilot
