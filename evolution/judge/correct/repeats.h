// SPDX-License-Identifier: Apache-2.0
//
// Compares the outputs of repeated runs on the same data. A candidate may vary from run to run as much as the
// original does, but not more. Pure.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/correct/compare.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::correct {

/// The repeated runs of one kernel on one set of inputs.
struct Repeats {
  int runs = 0;
  /// One for each buffer of the layout: the largest distance of a floating output from its first run.
  std::vector<CompareLimits> spread;
  std::vector<bool> differs;  ///< one for each buffer: at least one byte differs
  std::string told;           ///< the first difference: "output 'y', run 3: element 17 is 1.5, was 1.25"
  bool bitwise() const { return told.empty(); }
};

/// Adds the outputs `again` of one more run; `first` are the outputs of the first run.
void add_repeat(Repeats &repeats, const model::Bundle &bundle, const cases::CaseLayout &layout,
                std::span<const std::byte> first, std::span<const std::byte> again);

/// A candidate's spread may be this many times the original's, because that is itself random. These are the
/// factors of precision(same).
inline constexpr double kRepeatRms = 4, kRepeatMax = 8;

inline constexpr const char *kBitwise = "bitwise equal";

struct RepeatAnswer {
  bool ok = true;
  std::string detail;  ///< kBitwise, or what differs, by how much, and how the original behaves
};
/// `original` are the original's repeats on the same data; they matter only where the candidate differs. Each
/// run of the candidate must already be within the precision limits.
RepeatAnswer judge_repeats(const model::Bundle &bundle, const cases::CaseLayout &layout,
                           const Repeats &candidate, const Repeats &original);

}  // namespace cupilot::judge::correct
