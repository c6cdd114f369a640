// SPDX-License-Identifier: Apache-2.0
//
// Counter-based random numbers, and what is made of them: pure functions of seed and counter, the same on GPU
// and host up to the rounding of log and cos. C++17 for nvcc.

#pragma once

#include <cmath>
#include <cstdint>

#include "annotate/support/half.h"

namespace cupilot::judge::data {

/// The finalizer of SplitMix64 applied to seed and counter; it passes statistical test batteries and is
/// cheap.
CUPILOT_ANYWHERE inline std::uint64_t input_bits(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t z = seed + (counter + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// In (0, 1].
CUPILOT_ANYWHERE inline double unit_interval(std::uint32_t bits) {
  return (static_cast<double>(bits) + 1.0) * 0x1p-32;
}

CUPILOT_ANYWHERE inline double normal_value(std::uint64_t bits) {
  const float radius =
      sqrtf(-2.0f * logf(static_cast<float>(unit_interval(static_cast<std::uint32_t>(bits)))));
  const float angle = 6.2831853f * static_cast<float>(unit_interval(static_cast<std::uint32_t>(bits >> 32)));
  return static_cast<double>(radius * cosf(angle));
}

/// A bijection of [0, count): four Feistel rounds over the next even power of two, repeated until the value
/// is in the range (cycle walking).
CUPILOT_ANYWHERE inline std::uint64_t permuted(std::uint64_t index, std::uint64_t count, std::uint64_t seed) {
  int half = 1;
  while ((1ull << (2 * half)) < count) ++half;
  const std::uint64_t mask = (1ull << half) - 1;
  std::uint64_t value = index;
  do {
    std::uint64_t left = value >> half, right = value & mask;
    for (int round = 0; round < 4; ++round) {
      const std::uint64_t mixed = left ^ (input_bits(seed + static_cast<std::uint64_t>(round), right) & mask);
      left = right;
      right = mixed;
    }
    value = (left << half) | right;
  } while (value >= count);
  return value;
}

}  // namespace cupilot::judge::data
