// SPDX-License-Identifier: Apache-2.0
//
// The stages of a candidate after its build, in their order. Each one returns whether the next may begin; if
// not, the verdict has been decided.

#pragma once

#include <filesystem>

#include "evolution/judge/engine/judging.h"

namespace cupilot {

/// Stage "screen": what the compiler made of it, before anything of it runs.
bool screen_candidate(Judging &judging, const Built &built);
/// Adds to the reason of wrong numbers what kind of arithmetic they came from.
void explain_numbers(Judging &judging);

/// Stage "correct": every run of the reference's plan, compared.
bool verify_candidate(Judging &judging, const std::filesystem::path &library);

/// Stage "time", on devices that measure, and the counters if they are wanted.
bool time_candidate(Judging &judging);

/// Instead of "time", on devices that only execute.
bool estimate_candidate(Judging &judging);

/// Stage "finalist", for a candidate that is about to be published. Every check goes into the verdict.
bool check_finalist(Judging &judging);

}  // namespace cupilot
