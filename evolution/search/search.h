// SPDX-License-Identifier: Apache-2.0
//
// The whole search of one kernel with any judge: Tuner::tune_kernel without the executor, so that tests can
// use a simulated landscape. Every member of TuneCollaborators except the executor is used.

#pragma once

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/search/batch_judge.h"
#include "evolution/search/tune.h"
#include "evolution/store/database.h"

namespace cupilot::search {

Result<TuneOutcome> search_kernel(const spec::KernelSpec &spec, const TuneSettings &settings,
                                  const TuneCollaborators &with, BatchJudge &judge);

/// The run of this kernel with these settings, as it is identified in the run database.
store::RunInfo run_info(const spec::KernelSpec &spec, const TuneSettings &settings,
                        const provider::Providers &providers, bool replayed);

/// The seed of the bundle that confirms a winner. It gives inputs that the search has never seen.
std::uint64_t confirm_seed(std::uint64_t seed);

}  // namespace cupilot::search
