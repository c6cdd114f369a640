// SPDX-License-Identifier: Apache-2.0
//
// Runs on the same data and how far their outputs are apart: a candidate may repeat itself as badly as the
// original does, no worse. Pure.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/correct/compare.h"
#include "evolution/model/bundle.h"

namespace cupilot {

/// Of one kernel on one set of inputs.
struct Repeats {
  int runs = 0;
  /// One a buffer of the layout: the furthest a floating output was from its first run.
  std::vector<CompareLimits> spread;
  std::vector<bool> differs;  ///< one a buffer: some byte did
  std::string told;           ///< of the first difference: "output 'y', run 3: element 17 is 1.5, was 1.25"
  bool bitwise() const { return told.empty(); }
};

/// Adds one run more to those whose first gave `first`.
void add_repeat(Repeats &repeats, const Bundle &bundle, const CaseLayout &layout,
                std::span<const std::byte> first, std::span<const std::byte> again);

/// A candidate's spread may be this many times the original's, which is itself drawn by chance: the factors
/// of precision(same).
inline constexpr double kRepeatRms = 4, kRepeatMax = 8;

inline constexpr const char *kBitwise = "bitwise equal";

struct RepeatAnswer {
  bool ok = true;
  std::string detail;  ///< kBitwise, or what differs, by how much, and what the original does
};
/// `original`: its repeats on the same data, looked at only where the candidate differs. Each run of the
/// candidate was within the precision limits.
RepeatAnswer judge_repeats(const Bundle &bundle, const CaseLayout &layout, const Repeats &candidate,
                           const Repeats &original);

}  // namespace cupilot
