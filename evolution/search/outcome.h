// SPDX-License-Identifier: Apache-2.0
//
// The summary of a search: the counts, the measurements to show, and for each set of strategies the reason
// why it lost.

#pragma once

#include <string>
#include <vector>

#include "evolution/search/breeder.h"
#include "evolution/search/evaluator.h"
#include "evolution/search/tune.h"

namespace cupilot::search {

/// One line for each workload of `cases` on which the variant did not run: there the original runs instead.
std::vector<std::string> declined_workloads(const std::vector<model::Case> &cases,
                                            const model::Verdict &verdict);

/// Fills `outcome` from everything that was evaluated. The caller has already set winner and best, with their
/// samples.
Result<void> summarise(const Evaluator &evaluator, const Breeder &breeder, TuneOutcome &outcome);

}  // namespace cupilot::search
