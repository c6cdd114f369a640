// SPDX-License-Identifier: Apache-2.0
//
// The bits of Step::data for a comparison (setp, set), shared by bind functions and handlers. The operands
// are p {q} a b {c} or d a b {c}.

#pragma once

#include <cstdint>

namespace cupilot::emulate::lanes {

inline constexpr std::uint64_t kCompareBool = 3;     ///< 0: no c; 1 and, 2 or, 3 xor
inline constexpr std::uint64_t kCompareNegated = 4;  ///< !c
inline constexpr std::uint64_t kComparePair = 8;     ///< p | q
inline constexpr int kCompareTrueShift = 32;         ///< set: the word for true

}  // namespace cupilot::emulate::lanes
