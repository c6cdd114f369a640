// SPDX-License-Identifier: Apache-2.0
//
// The stages of a candidate after its build, in their order. Each returns whether the next stage may begin;
// if not, the verdict has been decided.

#pragma once

#include <filesystem>

#include "evolution/judge/engine/judging.h"

namespace cupilot::judge::engine {

/// Stage "screen": examines the compiled code before any of it runs.
bool screen_candidate(Judging &judging, const tools::Built &built);
/// Adds to the reason of a `wrong` verdict which instructions the candidate uses and the original does not.
void explain_numbers(Judging &judging);

/// Stage "correct": makes every run of the reference's plan and compares the outputs.
bool verify_candidate(Judging &judging, const std::filesystem::path &library);

/// What of the candidate's host side has been executed by all runs so far.
launches::Coverage executed_host_code(Judging &judging);
/// The same on further cases, for a candidate that has been verified. The child forgets them afterwards.
bool verify_further(Judging &judging, const FurtherCases &further);

/// Stage "coverage": whether the runs of stage "correct" executed the whole variant. If not, it is verified
/// on cases of Bundle::reserve as well. On a device that does not tell what it executes only finalists are
/// looked at, by the emulated device beside it.
bool cover_candidate(Judging &judging, const std::filesystem::path &library);

/// Stage "time", on devices that can measure; also collects hardware counters if requested.
bool time_candidate(Judging &judging);

/// Stage "estimate", in place of "time" on devices that cannot measure.
bool estimate_candidate(Judging &judging);

/// Stage "finalist", for a candidate that is about to be published. Every check goes into the verdict.
bool check_finalist(Judging &judging);

}  // namespace cupilot::judge::engine
