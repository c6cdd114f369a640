// SPDX-License-Identifier: Apache-2.0
//
// The score of a verdict. All functions are pure.

#pragma once

#include "evolution/model/verdict.h"

namespace cupilot::search {

struct TuneSettings;

/// The value by which the search ranks: the speed-up over the original, or the estimated speed-up if the
/// executor is the CPU. One search never has both. 0 if the candidate was not correct or not timed.
double score(const model::Verdict &verdict);

/// Two scores of one run that differ by less than this count as equal.
double same_score(const TuneSettings &settings);

/// The achieved share of the nearest roof, 0..1, on the workload that is furthest from it. The roof is the
/// copy bandwidth, or the compute peak if counters show that it is nearer. 0: unknown.
double roof_share(const model::Verdict &verdict);

/// True if the candidate is faster and every timed workload reaches this share of the copy bandwidth.
bool reaches_bandwidth(const model::Verdict &verdict, double share);

}  // namespace cupilot::search
