// SPDX-License-Identifier: Apache-2.0
#include "evolution/model/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "evolution/model/verdict_fields.h"

namespace cupilot::model {
namespace {

using enum VerdictKind;
constexpr std::array<std::pair<VerdictKind, const char *>, 10> kVerdicts{{{faster, "faster"},
                                                                          {slower, "slower"},
                                                                          {same, "same"},
                                                                          {unsure, "unsure"},
                                                                          {wrong, "wrong"},
                                                                          {rejected, "rejected"},
                                                                          {build_failed, "build_failed"},
                                                                          {crashed, "crashed"},
                                                                          {timed_out, "timed_out"},
                                                                          {not_evaluated, "not_evaluated"}}};

using Outcome = FinalistCheck::Outcome;
constexpr std::array<std::pair<Outcome, const char *>, 3> kOutcomes{
    {{Outcome::passed, "passed"}, {Outcome::failed, "failed"}, {Outcome::not_run, "not_run"}}};

}  // namespace

EnumNames<FinalistCheck::Outcome> names_of(const FinalistCheck::Outcome *) {
  return kOutcomes;
}
EnumNames<VerdictKind> names_of(const VerdictKind *) {
  return kVerdicts;
}

const char *to_string(VerdictKind kind) {
  return enum_name(kind);
}

namespace {

/// Weighted geometric mean; 0 when the list is empty or a ratio is unknown.
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

}  // namespace cupilot::model
