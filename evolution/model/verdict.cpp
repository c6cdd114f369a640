// SPDX-License-Identifier: Apache-2.0
#include "evolution/model/verdict.h"

#include <algorithm>
#include <cmath>

#include "evolution/model/verdict_names.h"

namespace cupilot {

const char *to_string(VerdictKind kind) {
  return enum_name(kind);
}

namespace {

/// Weighted geometric mean; 0 when there is nothing to take it of or a ratio is not known.
class GeometricMean {
public:
  void add(double ratio, double weight) {
    if (weight <= 0) return;
    known_ &= ratio > 0;
    if (known_) logs_ += weight * std::log(ratio);
    weights_ += weight;
  }
  double value() const { return known_ && weights_ > 0 ? std::exp(logs_ / weights_) : 0; }

private:
  double logs_ = 0, weights_ = 0;
  bool known_ = true;
};

}  // namespace

double overall_speedup(const Verdict &verdict) {
  GeometricMean mean;
  const auto &only = verdict.dispatch;
  for (const Measurement &m : verdict.measurements) {
    if (m.holdout) continue;
    const bool used = only.empty() || std::ranges::find(only, m.workload) != only.end();
    mean.add(used ? m.speedup : 1, m.weight);
  }
  return mean.value();
}

double overall_estimate(const Verdict &verdict) {
  GeometricMean mean;
  for (const Estimate &estimate : verdict.estimates)
    if (!estimate.holdout) mean.add(estimate.ratio, estimate.weight);
  return mean.value();
}

}  // namespace cupilot
