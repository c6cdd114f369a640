// SPDX-License-Identifier: Apache-2.0
//
// By how many elements each pointer of a case is past an aligned address, where each has an amount of its
// own. A variant that adds the low bits of its pointers, or compares them with each other, takes some of
// these for aligned. Pure.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evolution/judge/cases/case_layout.h"

namespace cupilot::judge::cases {

/// The most for one case: of three pointers to floats that is each way in which they may differ.
inline constexpr std::size_t kMostMixedShifts = 60;

/// Where a case takes many, so many more are of whole vectors: parts of a larger buffer begin there.
inline constexpr std::size_t kWholeVectors = 12;

/// Different ones: at most `most`, and kWholeVectors more where that is less than `most`. Shifts of the first
/// are below 16 bytes, or below four elements where these are larger. All pointers alike and one pointer
/// alone by one element are left to other placements. Where there are more than `most`, they are drawn: every
/// second one of two pointers alone.
std::vector<Shifts> mixed_shifts(const CaseLayout &layout, std::size_t most, std::uint64_t seed);

}  // namespace cupilot::judge::cases
