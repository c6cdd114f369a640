// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/timed_outputs.h"

#include <algorithm>
#include <cstdio>

namespace cupilot {

namespace {

/// Two correct launches may each deviate by the limit, in opposite directions.
constexpr double kBothSides = 2;

std::string scientific(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

}  // namespace

std::string timed_trouble(const TimedOutputs &seen, const std::vector<OutputError> &errors,
                          bool deterministic) {
  const std::string launches = std::to_string(seen.launches) + " timed launches on the same data";
  if (seen.unwritten > 0)
    return "not every launch does the work: one of " + launches + " left " + std::to_string(seen.unwritten) +
           " elements of its outputs unwritten";
  if (seen.not_finite > 0)
    return "one of " + launches + " gave NaN or infinity in " + std::to_string(seen.not_finite) +
           " elements where another gave numbers, or the reverse";
  double limit = 0;
  for (const OutputError &error : errors) limit = std::max(limit, kBothSides * error.max_limit);
  if (seen.deviation > limit)
    return std::to_string(seen.differing) + " of " + launches + " differ from the first one, by up to " +
           scientific(seen.deviation) + " (relative); two correct ones differ by at most " +
           scientific(limit);
  if (deterministic && seen.differing > 0)
    return std::to_string(seen.differing) + " of " + launches +
           " gave other bits than the first one, and the kernel is declared deterministic";
  return "";
}

}  // namespace cupilot
