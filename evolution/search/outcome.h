// SPDX-License-Identifier: Apache-2.0
//
// What a search comes to: the counts, the measurements shown, and for every set of strategies why it lost.

#pragma once

#include <string>
#include <vector>

#include "evolution/search/breeder.h"
#include "evolution/search/evaluator.h"
#include "evolution/search/tune.h"

namespace cupilot {

/// A line for each workload of `cases` where nothing of the variant was seen to run: there the original does.
std::vector<std::string> declined_workloads(const std::vector<Case> &cases, const Verdict &verdict);

/// Fills `outcome` from everything evaluated; winner and best are set already, with their samples.
Result<void> summarise(const Evaluator &evaluator, const Breeder &breeder, TuneOutcome &outcome);

}  // namespace cupilot
