// SPDX-License-Identifier: Apache-2.0
//
// The whole search of one kernel on any judge: Tuner::tune_kernel with the executor taken out, so that tests
// put a landscape in its place. Of TuneCollaborators everything but the executor is used.

#pragma once

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/search/batch_judge.h"
#include "evolution/search/tune.h"
#include "evolution/store/database.h"

namespace cupilot {

Result<TuneOutcome> search_kernel(const KernelSpec &spec, const TuneSettings &settings,
                                  const TuneCollaborators &with, BatchJudge &judge);

/// The run of this kernel with these settings, as the run database knows it.
RunInfo run_info(const KernelSpec &spec, const TuneSettings &settings, const Providers &providers,
                 bool replayed);

/// The seed of the bundle that confirms a winner: other inputs than the search ever saw.
std::uint64_t confirm_seed(std::uint64_t seed);

}  // namespace cupilot
