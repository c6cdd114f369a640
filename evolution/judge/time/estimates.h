// SPDX-License-Identifier: Apache-2.0
//
// Decides between two estimated times. Pure. statistics.h does the same for measurements and is kept
// separate.

#pragma once

#include <string>
#include <vector>

#include "evolution/model/verdict.h"

namespace cupilot::judge::time {

/// The error of the performance model: a relative difference below this is a tie.
inline constexpr double kEstimateTie = 0.15;

/// Sets verdict, tie and ratio from the two times.
void judge_estimate(model::Estimate &estimate);

/// One answer for all estimated workloads: faster only if at least one is faster and none is slower.
model::VerdictKind overall_kind(const std::vector<model::Estimate> &estimates);

/// "llama estimated faster 3.10x (2110 us -> 680 us, bound by dram; 264 of 8192 blocks run)".
std::string describe_estimates(const std::vector<model::Estimate> &estimates);

}  // namespace cupilot::judge::time
