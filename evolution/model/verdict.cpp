// SPDX-License-Identifier: Apache-2.0
#include "evolution/model/verdict.h"

#include <cmath>

#include "evolution/model/verdict_names.h"

namespace cupilot {

const char *to_string(VerdictKind kind) {
  return enum_name(kind);
}

namespace {

/// Geometric mean of one member; 0 when there is none or one of them is not known.
template <class Item>
double mean_ratio(const std::vector<Item> &items, double Item::*member) {
  double sum = 0;
  for (const auto &item : items) {
    if (item.*member <= 0) return 0;
    sum += std::log(item.*member);
  }
  return items.empty() ? 0 : std::exp(sum / static_cast<double>(items.size()));
}

}  // namespace

double overall_speedup(const Verdict &verdict) {
  return mean_ratio(verdict.measurements, &Measurement::speedup);
}

double overall_estimate(const Verdict &verdict) {
  return mean_ratio(verdict.estimates, &Estimate::ratio);
}

}  // namespace cupilot
