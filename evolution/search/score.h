// SPDX-License-Identifier: Apache-2.0
//
// What a verdict is worth to a search. Pure functions of the verdict.

#pragma once

#include "evolution/model/verdict.h"

namespace cupilot {

struct TuneSettings;

/// What the search ranks by: the speed-up over the original, or its estimate where the executor is the CPU
/// (one search never has both); 0 for what was not correct or not timed.
double score(const Verdict &verdict);

/// Two scores of one run closer than this are not told apart.
double same_score(const TuneSettings &settings);

/// How near the nearest roof something timed is, 0..1: on the workload furthest from it the share of copy
/// bandwidth, or of the compute peak where counters say that one is nearer. 0: not known.
double roof_share(const Verdict &verdict);

/// It is faster, and every timed workload reaches this share of the copy bandwidth.
bool reaches_bandwidth(const Verdict &verdict, double share);

}  // namespace cupilot
