// SPDX-License-Identifier: Apache-2.0
//
// More runs of the original on inputs whose outputs are known: on the same data, to see whether it repeats
// them, and on nudged data, to see how far they move.

#pragma once

#include <span>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/correct/compare.h"
#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/engine/original_process.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::engine {

/// Repeats the run that gave `first`: a non-deterministic original cannot serve as the reference.
Result<> repeat_original(OriginalProcess &original, const model::Bundle &bundle, const cases::Plan &plan,
                         const RunOrder &order, const correct::ExpectedOutputs &first);

/// How far the outputs move, one element for each buffer of the layout.
struct Movement {
  std::vector<correct::CompareLimits> spread;  ///< when the inputs are nudged
  std::vector<correct::CompareLimits>
      change;  ///< when they are rounded as the precision clause allows; else empty
};

/// Called once for each set of inputs; with few outputs, the widest of several runs is kept. If a run on
/// nudged inputs fails, the spread is not widened and the limits stay strict. `first` are the outputs that
/// `order` gave.
Result<Movement> move_original(OriginalProcess &original, const model::Bundle &bundle,
                               const cases::Plan &plan, const RunOrder &order,
                               std::span<const std::byte> first);

}  // namespace cupilot::judge::engine
