// SPDX-License-Identifier: Apache-2.0
//
// The bit patterns of memory that has not been written, on the GPU and on the emulated device.

#pragma once

#include <cstdint>

namespace cupilot::judge::data {

/// Poison is a 16-bit pattern that is a NaN in every floating type. It repeats from the buffer's first byte,
/// so it is equal for original and candidate. Guards hold another pattern, so that a copied guard can be
/// recognised.
inline constexpr std::uint16_t kPoison = 0xffb6, kGuard = 0xffa5;
/// Second patterns, which are ordinary numbers in every type. A maximum ignores NaN; an unwritten element
/// still shows, because it differs between a run with one pattern and a run with the other.
inline constexpr std::uint16_t kOtherPoison = 0x3f8d, kOtherGuard = 0x3fc3;

}  // namespace cupilot::judge::data
