// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/score.h"

#include <algorithm>

#include "evolution/judge/time/estimates.h"
#include "evolution/search/tune.h"

namespace cupilot::search {
namespace {

constexpr double kMeasuredTie = 0.01;

}  // namespace

double score(const model::Verdict &verdict) {
  switch (verdict.kind) {
    case model::VerdictKind::faster:
    case model::VerdictKind::slower:
    case model::VerdictKind::same:
    case model::VerdictKind::unsure:
      return verdict.estimates.empty() ? model::overall_speedup(verdict) : model::overall_estimate(verdict);
    default:
      return 0;
  }
}

double same_score(const TuneSettings &settings) {
  return settings.estimates ? judge::time::kEstimateTie : kMeasuredTie;
}

double roof_share(const model::Verdict &verdict) {
  double furthest = 0;
  bool any = false;
  for (const model::Measurement &one : verdict.measurements) {
    if (one.holdout) continue;
    double share = one.bandwidth_share;
    for (const model::Profile &profile : verdict.profiles)
      if (profile.workload == one.workload) share = std::max(share, profile.compute_share);
    furthest = any ? std::min(furthest, share) : share;
    any = true;
  }
  return furthest;
}

bool reaches_bandwidth(const model::Verdict &verdict, double share) {
  return verdict.kind == model::VerdictKind::faster && !verdict.measurements.empty() &&
         std::ranges::all_of(verdict.measurements,
                             [share](const model::Measurement &one) { return one.bandwidth_share >= share; });
}

}  // namespace cupilot::search
