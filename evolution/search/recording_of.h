// SPDX-License-Identifier: Apache-2.0
//
// Makes a recording of a run in the database: each question, answer and verdict once, so that the run can be
// replayed without model and judge.

#pragma once

#include <cstdint>

#include "annotate/support/result.h"
#include "evolution/provider/recording.h"
#include "evolution/store/database.h"

namespace cupilot::search {

/// If a question failed and was asked again, the answer is recorded. Questions that were lost because the
/// process was killed are left out. An unknown run is an error.
Result<provider::Recording> recording_of(const store::Database &database, std::int64_t run);

}  // namespace cupilot::search
