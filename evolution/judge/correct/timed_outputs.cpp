// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/timed_outputs.h"

#include <fmt/format.h>

#include <algorithm>

namespace cupilot::judge::correct {

namespace {

/// Two correct launches may each deviate by the limit, in opposite directions.
constexpr double kBothSides = 2;

std::string scientific(double value) {
  return fmt::format("{:.1e}", value);
}

}  // namespace

std::string timed_trouble(const launches::TimedOutputs &seen, const std::vector<model::OutputError> &errors,
                          bool deterministic) {
  const std::string launches = fmt::format("{} timed launches on the same data", seen.launches);
  if (seen.unwritten > 0)
    return fmt::format("not every launch does the work: one of {} left {} elements of its outputs unwritten",
                       launches, seen.unwritten);
  if (seen.not_finite > 0)
    return fmt::format(
        "one of {} gave NaN or infinity in {} elements where another gave numbers, or the reverse", launches,
        seen.not_finite);
  double limit = 0;
  for (const model::OutputError &error : errors) limit = std::max(limit, kBothSides * error.max_limit);
  if (seen.deviation > limit)
    return fmt::format(
        "{} of {} differ from the first one, by up to {} (relative); two correct ones differ by at most {}",
        seen.differing, launches, scientific(seen.deviation), scientific(limit));
  if (deterministic && seen.differing > 0)
    return fmt::format(
        "{} of {} gave other bits than the first one, and the kernel is declared deterministic",
        seen.differing, launches);
  return "";
}

}  // namespace cupilot::judge::correct
