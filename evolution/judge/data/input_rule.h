// SPDX-License-Identifier: Apache-2.0
//
// What stands at one index of an input buffer: a pure function of rule, seed and index, so that any thread
// can make any element, on the GPU or on the host, and the same bundle always has the same data.
// Counter-based, no state. C++17: compiled by nvcc and by the host's compiler; host and device agree up to
// the rounding of log and cos.

#pragma once

#include <cmath>
#include <cstdint>

#include "annotate/support/half.h"

namespace cupilot {

/// The shape of the values; `a` and `b` as in Fill, `count` the buffer's elements. The last three stay within
/// a randint's [a, b).
enum class InputShape : int {
  normal,
  uniform,
  randint,
  iota,
  zeros,
  permutation,
  ramp,
  one_hot,
  special,
  negative,      ///< below zero, all of them
  heavy_tail,    ///< one in 509 is `b` times as large
  unique,        ///< no value twice, in (-1, 3): sums do not cancel to nothing
  sorted,        ///< descending from 3 to -1
  either_sign,   ///< of magnitude 1 to 2
  extreme,       ///< two values not far from the largest finite one
  infinities,    ///< a few, of both signs
  nans,          ///< a few
  signed_zeros,  ///< 0 and -0.0, nothing else
  range_sorted,
  range_ends,
  range_constant
};

/// A change of one stretch of a buffer, to see whether it reaches the output.
enum class ProbeKind : int { none, impulse, block, redraw };
struct InputProbe {
  ProbeKind kind = ProbeKind::none;
  std::uint64_t begin = 0, end = 0;  ///< the stretch
  std::uint64_t place = 0;           ///< of the impulse
  double size = 0;                   ///< the impulse's value; what a block is multiplied by
};

/// What values are rounded to. A promoted buffer holds, as doubles, what the narrower type would hold.
enum class InputRounding : int { none, f16, bf16, tf32, f32 };

struct InputRule {
  InputShape shape = InputShape::normal;
  double a = 0, b = 1;
  std::uint64_t count = 0;
  std::uint64_t seed = 0;
  double tiny = 0;     ///< a subnormal of the element type, for `special`
  double largest = 0;  ///< not far from the element type's largest finite number, for `extreme`
  double nudge = 0;    ///< relative change of every value, up or down at random: one rounding, or none
  std::uint64_t nudge_seed = 0;
  InputRounding rounding = InputRounding::none;  ///< of the type whose values a promoted buffer holds
  InputRounding operands = InputRounding::none;  ///< once more: of operands of a narrower type
  InputProbe probe{};
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

/// One element in 509 is in the heavy tail, one in 2039 an infinity or NaN where these come by themselves:
/// primes again, so that rows have them at different places.
inline constexpr std::uint64_t kHeavyStride = 509, kLoneStride = 2039;

/// Whether one of the rare values that stand `stride` apart has this place; a buffer has at least two.
CUPILOT_ANYWHERE inline bool is_rare_place(const InputRule &rule, std::uint64_t index, std::uint64_t stride) {
  const std::uint64_t half = (rule.count + 1) / 2;
  if (stride == 0 || stride > half) stride = half;
  return stride == 0 || (index + rule.seed % stride) % stride == 0;
}

CUPILOT_ANYWHERE inline double whole_span(const InputRule &rule) {
  return rule.b > rule.a ? rule.b - rule.a : 1;
}

/// 0 to 1 over the buffer.
CUPILOT_ANYWHERE inline double progress(const InputRule &rule, std::uint64_t index) {
  return rule.count > 1 ? static_cast<double>(index) / static_cast<double>(rule.count - 1) : 0;
}

CUPILOT_ANYWHERE inline double rare_value(const InputRule &rule, std::uint64_t index, std::uint64_t bits) {
  const bool odd = input_bits(rule.seed ^ 0x5bd1e995u, index) & 1;
  switch (rule.shape) {
    case InputShape::extreme:
      // No more than two, and both positive: whether their sums overflow must not depend on the order.
      if (is_rare_place(rule, index, 0)) return rule.largest;
      break;
    case InputShape::infinities: {
      const float infinity = float_from_bits(odd ? 0xff800000u : 0x7f800000u);
      if (is_rare_place(rule, index, kLoneStride)) return static_cast<double>(infinity);
      break;
    }
    case InputShape::nans:
      if (is_rare_place(rule, index, kLoneStride)) return static_cast<double>(float_from_bits(0x7fc00000u));
      break;
    case InputShape::heavy_tail:
      if (is_rare_place(rule, index, kHeavyStride)) return rule.b * normal_value(bits);
      break;
    default:
      break;
  }
  return normal_value(bits);
}

/// Distinct values in random order: of a bijection.
CUPILOT_ANYWHERE inline double unique_value(const InputRule &rule, std::uint64_t index) {
  const double rank = static_cast<double>(permuted(index, rule.count, rule.seed));
  return 2 * ((2 * rank + 1) / static_cast<double>(rule.count) - 1) + 1;
}

CUPILOT_ANYWHERE inline double shaped_value(const InputRule &rule, std::uint64_t index, std::uint64_t bits) {
  switch (rule.shape) {
    case InputShape::normal:
      return rule.a + rule.b * normal_value(bits);
    case InputShape::uniform:
      return rule.a + (rule.b - rule.a) * (1.0 - unit_interval(static_cast<std::uint32_t>(bits)));
    case InputShape::randint:
      return rule.a + static_cast<double>(bits % static_cast<std::uint64_t>(whole_span(rule)));
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
    case InputShape::negative: {
      const double value = normal_value(bits);
      return -0.05 - (value < 0 ? -value : value);
    }
    case InputShape::unique:
      return unique_value(rule, index);
    case InputShape::sorted:
      return 3 - 4 * progress(rule, index);
    case InputShape::either_sign: {
      const double size = 1 + unit_interval(static_cast<std::uint32_t>(bits));
      return bits >> 63 ? size : -size;
    }
    case InputShape::signed_zeros:
      return bits >> 63 ? 0.0 : -0.0;
    case InputShape::heavy_tail:
    case InputShape::extreme:
    case InputShape::infinities:
    case InputShape::nans:
      return rare_value(rule, index, bits);
    case InputShape::range_sorted: {
      const double span = whole_span(rule);
      const double step = floor(progress(rule, index) * span);
      return rule.a + (step < span ? step : span - 1);
    }
    case InputShape::range_ends:
      return bits >> 63 ? rule.a : rule.a + whole_span(rule) - 1;
    case InputShape::range_constant:
      return rule.a +
             static_cast<double>(input_bits(rule.seed, 0) % static_cast<std::uint64_t>(whole_span(rule)));
  }
  return 0;
}

CUPILOT_ANYWHERE inline double exact_value(const InputRule &rule, std::uint64_t index) {
  const InputProbe &probe = rule.probe;
  if (probe.kind == ProbeKind::none || index < probe.begin || index >= probe.end)
    return shaped_value(rule, index, input_bits(rule.seed, index));
  if (probe.kind == ProbeKind::redraw)
    return shaped_value(rule, index, input_bits(rule.seed ^ 0xc2b2ae3d27d4eb4full, index));
  if (probe.kind == ProbeKind::impulse && index == probe.place) return probe.size;
  const double value = shaped_value(rule, index, input_bits(rule.seed, index));
  return probe.kind == ProbeKind::block ? value * probe.size : value;
}

/// To nearest even; tf32 ties away from zero, as cvt.rna does.
CUPILOT_ANYWHERE inline double rounded_value(double value, InputRounding to) {
  const float narrow = static_cast<float>(value);
  switch (to) {
    case InputRounding::f16:
      return static_cast<double>(float_from_f16(f16_from_float(narrow)));
    case InputRounding::bf16:
      return static_cast<double>(float_from_bf16(bf16_from_float(narrow)));
    case InputRounding::tf32: {
      const std::uint32_t bits = float_bits(narrow);
      const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
      return static_cast<double>(finite ? float_from_bits((bits + 0x1000u) & ~0x1fffu) : narrow);
    }
    case InputRounding::f32:
      return static_cast<double>(narrow);
    case InputRounding::none:
      break;
  }
  return value;
}

CUPILOT_ANYWHERE inline double input_value(const InputRule &rule, std::uint64_t index) {
  double value = exact_value(rule, index);
  if (rule.nudge != 0) value *= input_bits(rule.nudge_seed, index) & 1 ? 1 + rule.nudge : 1 - rule.nudge;
  return rounded_value(rounded_value(value, rule.rounding), rule.operands);
}

}  // namespace cupilot
