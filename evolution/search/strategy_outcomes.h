// SPDX-License-Identifier: Apache-2.0
//
// Makes the history entries of a search: the outcome of each strategy, from a trial of the strategy alone
// where there was one.

#pragma once

#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/strategy_outcome.h"
#include "evolution/search/breeder.h"
#include "evolution/search/evaluator.h"
#include "evolution/search/tune.h"
#include "evolution/strategy/pool.h"

namespace cupilot::search {

struct OutcomeQuestion {
  const spec::KernelSpec &spec;  ///< without its hold-outs
  const TuneSettings &settings;
  const strategy::StrategyPool &pool;
  const Evaluator &evaluator;
  const Breeder &breeder;
  const model::Individual *winner = nullptr;
};

/// One outcome for each strategy of the pool that was tried, and one for the winner's strategy if a model
/// made it. A strategy that was made during the run counts for the pool strategies it was made from. A
/// variant that was built on another variant counts by its gain over that one.
std::vector<model::StrategyOutcome> strategy_outcomes(const OutcomeQuestion &question);

}  // namespace cupilot::search
