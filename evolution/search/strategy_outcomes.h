// SPDX-License-Identifier: Apache-2.0
//
// From a search to lines of the history: what became of each strategy, by itself where it was tried by
// itself.

#pragma once

#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/strategy_outcome.h"
#include "evolution/search/breeder.h"
#include "evolution/search/evaluator.h"
#include "evolution/search/tune.h"
#include "evolution/strategy/pool.h"

namespace cupilot {

struct OutcomeQuestion {
  const KernelSpec &spec;  ///< without its hold-outs
  const TuneSettings &settings;
  const StrategyPool &pool;
  const Evaluator &evaluator;
  const Breeder &breeder;
  const Individual *winner = nullptr;
};

/// One for each strategy of the pool that was tried, and for the winner's own when a model made it. A
/// strategy of the run stands for those of the pool it was made of. What was built on another variant counts
/// by what it gained over that.
std::vector<StrategyOutcome> strategy_outcomes(const OutcomeQuestion &question);

}  // namespace cupilot
