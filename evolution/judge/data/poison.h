// SPDX-License-Identifier: Apache-2.0
//
// The patterns that stand where nobody has written yet, whoever executes the kernel.

#pragma once

#include <cstdint>

namespace cupilot {

/// Poison is a 16-bit pattern that is a NaN in every floating type, counted from the buffer's first byte:
/// equal in the original's process and in the candidate's. Guards hold another one, so a copied guard shows.
inline constexpr std::uint16_t kPoison = 0xffb6, kGuard = 0xffa5;
/// Ordinary numbers, whatever the type: a maximum ignores NaN, and what was never written is then found by
/// what differs between the two.
inline constexpr std::uint16_t kOtherPoison = 0x3f8d, kOtherGuard = 0x3fc3;

}  // namespace cupilot
