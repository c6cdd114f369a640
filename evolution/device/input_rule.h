// SPDX-License-Identifier: Apache-2.0
//
// What stands at one index of an input buffer: a pure function of rule, seed and index, so that any thread
// can make any element, on the GPU or on the host, and the same bundle always has the same data.
// Counter-based, no state. C++17: compiled by nvcc and by the host's compiler; host and device agree up to
// the rounding of log and cos.

#pragma once

#include <cmath>
#include <cstdint>

#include "evolution/judge/half.h"

namespace cupilot {

/// The shape of the values; `a` and `b` as in Fill, `count` the buffer's elements.
enum class InputShape : int { normal, uniform, randint, iota, zeros, permutation, ramp, one_hot, special };

struct InputRule {
  InputShape shape = InputShape::normal;
  double a = 0, b = 1;
  std::uint64_t count = 0;
  std::uint64_t seed = 0;
  double tiny = 0;   ///< a subnormal of the element type, for `special`
  double nudge = 0;  ///< relative change of every value, up or down at random: one rounding, or none
  std::uint64_t nudge_seed = 0;
};

/// SplitMix64's finalizer over seed and counter: passes statistical batteries and costs five operations.
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

/// A bijection of [0, count): four Feistel rounds over the next even power of two, walked until inside.
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

/// Every 1009th element (a prime, so that rows of any usual length differ) from a place the seed picks.
inline constexpr std::uint64_t kHotStride = 1009;
/// One element in 4096 is an infinity or a NaN: rows stay mostly numbers. One in 64 is a zero or subnormal.
inline constexpr std::uint64_t kRareSpecial = 4096, kCommonSpecial = 64;

CUPILOT_ANYWHERE inline double special_value(const InputRule &rule, std::uint64_t index, std::uint64_t bits) {
  const std::uint64_t pick = input_bits(rule.seed ^ 0x5bd1e995u, index);
  if (pick % kRareSpecial < 3) {
    const float infinity = float_from_bits(0x7f800000u), nan = float_from_bits(0x7fc00000u);
    const std::uint64_t which = pick % kRareSpecial;
    return static_cast<double>(which == 0 ? infinity : which == 1 ? -infinity : nan);
  }
  if (pick % kCommonSpecial == 3) return 0;
  if (pick % kCommonSpecial == 4) return rule.tiny;
  return normal_value(bits);
}

CUPILOT_ANYWHERE inline double exact_value(const InputRule &rule, std::uint64_t index) {
  const std::uint64_t bits = input_bits(rule.seed, index);
  switch (rule.shape) {
    case InputShape::normal:
      return rule.a + rule.b * normal_value(bits);
    case InputShape::uniform:
      return rule.a + (rule.b - rule.a) * (1.0 - unit_interval(static_cast<std::uint32_t>(bits)));
    case InputShape::randint: {
      const double span = rule.b > rule.a ? rule.b - rule.a : 1;
      return rule.a + static_cast<double>(bits % static_cast<std::uint64_t>(span));
    }
    case InputShape::iota:
      return static_cast<double>(index);
    case InputShape::zeros:
      return 0;
    case InputShape::permutation:
      return static_cast<double>(permuted(index, rule.count, rule.seed));
    case InputShape::ramp:
      // From -0.5 to 1.5: both signs, but sums do not cancel to nothing.
      return rule.count > 1 ? 2.0 * static_cast<double>(index) / static_cast<double>(rule.count - 1) - 0.5
                            : 1;
    case InputShape::one_hot:
      return (index + rule.seed % kHotStride) % kHotStride == 0 ? 1 : 0;
    case InputShape::special:
      return special_value(rule, index, bits);
  }
  return 0;
}

CUPILOT_ANYWHERE inline double input_value(const InputRule &rule, std::uint64_t index) {
  const double value = exact_value(rule, index);
  if (rule.nudge == 0) return value;
  return value * (input_bits(rule.nudge_seed, index) & 1 ? 1 + rule.nudge : 1 - rule.nudge);
}

}  // namespace cupilot
