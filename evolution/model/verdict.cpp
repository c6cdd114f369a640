// SPDX-License-Identifier: Apache-2.0
#include "evolution/model/verdict.h"

#include <cmath>

#include "evolution/model/verdict_names.h"

namespace cupilot {

const char *to_string(VerdictKind kind) {
  return enum_name(kind);
}

double overall_speedup(const Verdict &verdict) {
  double sum = 0;
  for (const auto &measurement : verdict.measurements) {
    if (measurement.speedup <= 0) return 0;
    sum += std::log(measurement.speedup);
  }
  return verdict.measurements.empty() ? 0 : std::exp(sum / static_cast<double>(verdict.measurements.size()));
}

}  // namespace cupilot
