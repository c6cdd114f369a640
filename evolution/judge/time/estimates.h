// SPDX-License-Identifier: Apache-2.0
//
// From two estimated times to an answer. Pure; beside statistics.h, which does it for measurements, and apart
// from it.

#pragma once

#include <string>
#include <vector>

#include "evolution/model/verdict.h"

namespace cupilot {

/// The model's own error: a difference below this share is a tie, whatever its sign.
inline constexpr double kEstimateTie = 0.15;

/// Sets verdict, tie and ratio from the two times.
void judge_estimate(Estimate &estimate);

/// One answer over all estimated workloads: faster only when none is slower and at least one is faster.
VerdictKind overall_kind(const std::vector<Estimate> &estimates);

/// "llama estimated faster 3.10x (2110 us -> 680 us, bound by dram; 264 of 8192 blocks run)".
std::string describe_estimates(const std::vector<Estimate> &estimates);

}  // namespace cupilot
