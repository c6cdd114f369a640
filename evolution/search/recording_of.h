// SPDX-License-Identifier: Apache-2.0
//
// From a run in the database to its recording: what was asked, what was answered and what was judged, once
// each, so that the run can be played again without model and judge.

#pragma once

#include <cstdint>

#include "annotate/support/result.h"
#include "evolution/provider/recording.h"
#include "evolution/store/database.h"

namespace cupilot {

/// Of a question that was asked again after it failed the answer stays; what was lost in a kill is left out.
/// Error: no such run.
Result<Recording> recording_of(const Database &database, std::int64_t run);

}  // namespace cupilot
