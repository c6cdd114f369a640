// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/score.h"

#include <algorithm>

#include "evolution/judge/time/estimates.h"
#include "evolution/search/tune.h"

namespace cupilot {
namespace {

constexpr double kMeasuredTie = 0.01;

}  // namespace

double score(const Verdict &verdict) {
  switch (verdict.kind) {
    case VerdictKind::faster:
    case VerdictKind::slower:
    case VerdictKind::same:
    case VerdictKind::unsure:
      return verdict.estimates.empty() ? overall_speedup(verdict) : overall_estimate(verdict);
    default:
      return 0;
  }
}

double same_score(const TuneSettings &settings) {
  return settings.estimates ? kEstimateTie : kMeasuredTie;
}

double roof_share(const Verdict &verdict) {
  double furthest = 0;
  bool any = false;
  for (const Measurement &one : verdict.measurements) {
    if (one.holdout) continue;
    double share = one.bandwidth_share;
    for (const Profile &profile : verdict.profiles)
      if (profile.workload == one.workload) share = std::max(share, profile.compute_share);
    furthest = any ? std::min(furthest, share) : share;
    any = true;
  }
  return furthest;
}

bool reaches_bandwidth(const Verdict &verdict, double share) {
  return verdict.kind == VerdictKind::faster && !verdict.measurements.empty() &&
         std::ranges::all_of(verdict.measurements,
                             [share](const Measurement &one) { return one.bandwidth_share >= share; });
}

}  // namespace cupilot
