// SPDX-License-Identifier: Apache-2.0
//
// The value at one index of an input buffer, as a pure function of rule, seed and index. The random numbers
// are counter-based and have no state, so any thread on GPU or host can make any element, and the same bundle
// always has the same data. This file is C++17, compiled by nvcc and by the host compiler; host and device
// agree up to the rounding of log and cos.

#pragma once

#include <cmath>
#include <cstdint>

#include "annotate/support/half.h"
#include "evolution/judge/data/patchwork.h"
#include "evolution/judge/data/random_bits.h"

namespace cupilot::judge::data {

/// The distribution or pattern of the values. `a` and `b` are as in Fill, `count` is the number of elements.
/// Those at the end are integers within the range [a, b) of a randint fill.
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
  negative,         ///< all values are below zero
  heavy_tail,       ///< one value in 509 is `b` times as large
  unique,           ///< all different, in (-1, 3), so that sums do not cancel
  sorted,           ///< descending from 3 to -1
  either_sign,      ///< both signs, magnitude 1 to 2
  extreme,          ///< two values are near the largest finite number; `a` > 0: one within a factor of two
  infinities,       ///< a few infinities of both signs
  nans,             ///< a few NaNs
  signed_zeros,     ///< only 0.0 and -0.0
  plateaus,         ///< eight stretches, each of one value, so that rows are constant
  magnitudes,       ///< both signs, magnitudes evenly spread over 2^a to 2^b
  tile_edges,       ///< values `b` times as large, only where an index is the first or the last of 32
  far_scale,        ///< normal values times one power of two, between 2^a and 2^b
  whole,            ///< whole numbers and their quarters, so that many are equal
  masked,           ///< stretches and stripes of one infinity, of the sign of `a`
  nearly_level,     ///< as plateaus, or one level if it is short, but for one value in 61
  alike,            ///< every buffer's values are near to those of the others at the same index
  sparse,           ///< blocks of zeros, of zeros at every k-th place, and of numbers, with a few infinities
  levels,           ///< eight stretches, each around a level from -a to a, `b` wide
  positive,         ///< no zero, nothing below
  scales,           ///< eight stretches, each of normal values times one power of two, 2^a to 2^b
  patchwork,        ///< patchwork.h
  range_patchwork,  ///< the same within [a, b): whole numbers for integers
  range_sorted,
  range_ends,
  range_constant,
  range_steps  ///< never smaller than the one before, in steps of different size, from a to b - 1
};

/// A change of one region of a buffer, to see whether the output depends on it.
enum class ProbeKind : int { none, impulse, block, redraw };
struct InputProbe {
  ProbeKind kind = ProbeKind::none;
  std::uint64_t begin = 0, end = 0;  ///< the region, end exclusive
  std::uint64_t place = 0;           ///< index of the impulse
  double size = 0;                   ///< value of the impulse, or factor of a block
};

/// The type to which values are rounded. A promoted buffer holds the values of the narrower type as doubles.
enum class InputRounding : int { none, f16, bf16, tf32, f32 };

struct InputRule {
  InputShape shape = InputShape::normal;
  double a = 0, b = 1;
  std::uint64_t count = 0;
  std::uint64_t seed = 0;
  std::uint64_t common_seed = 0;  ///< the same for all buffers of a run, for `alike`
  double tiny = 0;                ///< a subnormal number of the element type, for `special`
  double largest = 0;             ///< near the largest finite number of the element type, for `extreme`
  double nudge = 0;               ///< relative change of every value, up or down at random; 0: none
  std::uint64_t nudge_seed = 0;
  InputRounding rounding = InputRounding::none;  ///< type whose values a promoted buffer holds
  InputRounding operands = InputRounding::none;  ///< a second rounding, to the type of operands
  InputProbe probe{};
  Patchwork patchwork{};
  bool integers = false;  ///< for range_patchwork
  bool ranged = false;    ///< every value is brought into [low, high]
  double low = 0, high = 0;
};

/// One-hot data has a 1, in some stretches a smaller number, at every 1009th element, from an offset that the
/// seed picks. The stride is prime, so that rows of any usual length differ. Shorter buffers, such as the
/// weights of a row, hold ones: zeros there would hide the others.
inline constexpr std::uint64_t kHotStride = kOneRow;
/// In `special` data four elements in 4096 are infinities or NaN, so that most of a row stays finite, four in
/// 1024 of a buffer that would have a few only; and two in 64 are a zero or a subnormal number.
inline constexpr std::uint64_t kRareSpecial = 4096, kFewSpecial = 1024, kCommonSpecial = 64;
inline constexpr std::uint64_t kManyElements = 1 << 16;

CUPILOT_ANYWHERE inline std::uint64_t double_bits(double value) {
  std::uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Either sign, quiet or signalling. A signalling one, as in memory that holds other data, is moved as its
/// bits (float_of, f16_of, bf16_of): calculations and conversions make it quiet.
CUPILOT_ANYWHERE inline double nan_value(std::uint64_t bits) {
  const std::uint64_t what = bits & 2 ? 0x7ff4ca0000000000ull : 0x7ff8000000000000ull;
  const std::uint64_t whole = what | (bits & 1) << 63;
  double value;
  memcpy(&value, &whole, sizeof value);
  return value;
}

/// The upper bits of a NaN: sign, exponents, and as much of the rest as the type has.
CUPILOT_ANYWHERE inline float float_of(double value) {
  if (value == value) return static_cast<float>(value);
  const std::uint64_t bits = double_bits(value);
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 32) & 0x80000000u;
  return float_from_bits(sign | 0x7f800000u | (static_cast<std::uint32_t>(bits >> 29) & 0x7fffffu));
}
CUPILOT_ANYWHERE inline std::uint16_t f16_of(double value) {
  if (value == value) return f16_from_float(static_cast<float>(value));
  const std::uint64_t bits = double_bits(value);
  return static_cast<std::uint16_t>((bits >> 48 & 0x8000u) | 0x7c00u | (bits >> 42 & 0x3ffu));
}
CUPILOT_ANYWHERE inline std::uint16_t bf16_of(double value) {
  if (value == value) return bf16_from_float(static_cast<float>(value));
  const std::uint64_t bits = double_bits(value);
  return static_cast<std::uint16_t>((bits >> 48 & 0x8000u) | 0x7f80u | (bits >> 45 & 0x7fu));
}

/// An infinity stands right before each NaN: whoever has met one may look no further.
CUPILOT_ANYWHERE inline double special_value(const InputRule &rule, std::uint64_t index, std::uint64_t bits) {
  constexpr std::uint64_t kNan = 2;
  const auto pick_at = [&](std::uint64_t place) { return input_bits(rule.seed ^ 0x5bd1e995u, place); };
  const std::uint64_t rare = rule.count < kManyElements ? kFewSpecial : kRareSpecial;
  const std::uint64_t pick = pick_at(index), which = pick % rare;
  if (which == kNan) return nan_value(pick >> 12);
  const bool before_nan = pick_at(index + 1) % rare == kNan;
  if (which < kNan || before_nan) {
    const bool negative = before_nan ? bits & 1 : which == 1;
    return static_cast<double>(float_from_bits(negative ? 0xff800000u : 0x7f800000u));
  }
  if (pick % kCommonSpecial == 3) return 0;
  if (pick % kCommonSpecial == 4) return rule.tiny;
  return normal_value(bits);
}

/// One element in 509 is in the heavy tail; one in 2039 is an infinity or NaN in the families of these. Both
/// are prime, so that rows have them at different places.
inline constexpr std::uint64_t kHeavyStride = 509, kLoneStride = 2039;

/// Whether this index holds one of the rare values, which are `stride` apart. The stride is shortened so that
/// a buffer has at least two of them.
CUPILOT_ANYWHERE inline bool is_rare_place(const InputRule &rule, std::uint64_t index, std::uint64_t stride) {
  const std::uint64_t half = (rule.count + 1) / 2;
  if (stride == 0 || stride > half) stride = half;
  return stride == 0 || (index + rule.seed % stride) % stride == 0;
}

/// NaN and infinities stand at the first and last place, too, where a tail has code of its own.
CUPILOT_ANYWHERE inline bool is_end(const InputRule &rule, std::uint64_t index) {
  return index == 0 || index + 1 == rule.count;
}

CUPILOT_ANYWHERE inline double whole_span(const InputRule &rule) {
  return rule.b > rule.a ? rule.b - rule.a : 1;
}

/// The relative position in the buffer, from 0 to 1.
CUPILOT_ANYWHERE inline double progress(const InputRule &rule, std::uint64_t index) {
  return rule.count > 1 ? static_cast<double>(index) / static_cast<double>(rule.count - 1) : 0;
}

/// A number that overflows when it is doubled.
CUPILOT_ANYWHERE inline double last_octave_value(const InputRule &rule, std::uint64_t bits) {
  constexpr double kToLast = 128;  // see Scale::largest
  return rule.largest * kToLast * (0.75 + unit_interval(static_cast<std::uint32_t>(bits)) / 2);
}

CUPILOT_ANYWHERE inline double rare_value(const InputRule &rule, std::uint64_t index, std::uint64_t bits) {
  switch (rule.shape) {
    case InputShape::extreme:
      // There are only two, and both are positive, so whether a sum overflows does not depend on the order.
      if (is_rare_place(rule, index, 0))
        return rule.a > 0 && index >= rule.count / 2 ? last_octave_value(rule, bits) : rule.largest;
      break;
    case InputShape::infinities: {
      const bool odd = input_bits(rule.seed ^ 0x5bd1e995u, index) & 1;
      const float infinity = float_from_bits(odd ? 0xff800000u : 0x7f800000u);
      if (is_rare_place(rule, index, kLoneStride) || is_end(rule, index))
        return static_cast<double>(infinity);
      break;
    }
    case InputShape::nans:
      if (is_rare_place(rule, index, kLoneStride) || is_end(rule, index))
        return nan_value(input_bits(rule.seed ^ 0x6e616eull, index));
      break;
    case InputShape::heavy_tail:
      if (is_rare_place(rule, index, kHeavyStride)) return rule.b * normal_value(bits);
      break;
    default:
      break;
  }
  return normal_value(bits);
}

/// Distinct values in random order, from a bijection.
CUPILOT_ANYWHERE inline double unique_value(const InputRule &rule, std::uint64_t index) {
  const double rank = static_cast<double>(permuted(index, rule.count, rule.seed));
  return 2 * ((2 * rank + 1) / static_cast<double>(rule.count) - 1) + 1;
}

inline constexpr std::uint64_t kPlateaus = 8, kTile = 32, kRareEdge = 16;

/// Every index of a stretch has the value that its number picks.
CUPILOT_ANYWHERE inline double plateau_value(const InputRule &rule, std::uint64_t index) {
  const std::uint64_t length = rule.count / kPlateaus + 1;
  return normal_value(input_bits(rule.seed ^ 0x706c6174ull, index / length));
}

/// Which of the eight stretches an index is in.
CUPILOT_ANYWHERE inline std::uint64_t stretch_of(const InputRule &rule, std::uint64_t index) {
  return index / (rule.count / kPlateaus + 1);
}

/// A level with an error in it: what looks at a few places of a row takes it for level. Short buffers, such
/// as a vector beside a matrix, are one row.
CUPILOT_ANYWHERE inline double nearly_level_value(const InputRule &rule, std::uint64_t index,
                                                  std::uint64_t bits) {
  constexpr std::uint64_t kOdd = 61;
  if (input_bits(rule.seed ^ 0x6f6464ull, index) % kOdd == 0) return normal_value(bits);
  return plateau_value(rule, rule.count < kHotStride ? 0 : index);
}

/// Within some hundredths of what every other buffer has here: differences of two cancel.
CUPILOT_ANYWHERE inline double alike_value(const InputRule &rule, std::uint64_t index, std::uint64_t bits) {
  return normal_value(input_bits(rule.common_seed, index)) * (1 + 0x1p-8 * normal_value(bits));
}

/// The power belongs to the buffer: a sum of squares neither overflows nor vanishes for the original, but may
/// for one that scales first.
CUPILOT_ANYWHERE inline double far_scale_value(const InputRule &rule, std::uint64_t bits) {
  const auto span = static_cast<std::uint64_t>(rule.b - rule.a) + 1;
  const int power =
      static_cast<int>(rule.a) + static_cast<int>(input_bits(rule.seed ^ 0x706f776572ull, 0) % span);
  return ldexp(normal_value(bits), power);
}

/// The range grows from stretch to stretch: from rows with many equal numbers to rows with a few.
CUPILOT_ANYWHERE inline double whole_value(const InputRule &rule, std::uint64_t index, std::uint64_t bits) {
  const int stretch = static_cast<int>(stretch_of(rule, index));
  const bool narrow = rule.largest < 1e4;  // halves hold whole numbers up to 2^11
  const std::uint64_t most = 2ull << (stretch + (narrow ? 0 : stretch * stretch / 8));
  const double number = static_cast<double>(bits % (2 * most + 1)) - static_cast<double>(most);
  return stretch % 2 ? ldexp(number, -(stretch / 2)) : number;
}

/// Where exponentials and their sums leave the range of the type on both sides, and where they come back:
/// each stretch draws from its own eighth of all levels.
CUPILOT_ANYWHERE inline double level_value(const InputRule &rule, std::uint64_t index, std::uint64_t bits) {
  const std::uint64_t stretch = stretch_of(rule, index);
  const auto eighth = static_cast<double>((stretch + rule.seed) % kPlateaus);
  const auto picked = static_cast<std::uint32_t>(input_bits(rule.seed ^ 0x6c6576656cull, stretch));
  const double level = 2 * (eighth + unit_interval(picked)) / static_cast<double>(kPlateaus) - 1;
  return rule.a * level + rule.b * normal_value(bits);
}

/// At least one stretch and one stripe are masked, so that a row and a column are nothing but infinities.
CUPILOT_ANYWHERE inline double masked_value(const InputRule &rule, std::uint64_t index, std::uint64_t bits) {
  constexpr std::uint64_t kRareStretch = 8, kRareStripe = 32;
  const std::uint64_t picked = input_bits(rule.seed, 0x6d61736bull), stretch = stretch_of(rule, index);
  const bool masked = stretch == picked % kPlateaus || index % kTile == picked / kPlateaus % kTile ||
                      input_bits(rule.seed ^ 0x6d61736bull, stretch) % kRareStretch == 0 ||
                      input_bits(rule.seed ^ 0x73747269ull, index % kTile) % kRareStripe == 0;
  return masked ? static_cast<double>(float_from_bits(rule.a < 0 ? 0xff800000u : 0x7f800000u))
                : normal_value(bits);
}

/// Each of the eight stretches has its own width of blocks, 4 to 512, and every third block is nothing but
/// zeros. Every buffer has two infinities or more, beside the zeros of the others.
CUPILOT_ANYWHERE inline double sparse_value(const InputRule &rule, std::uint64_t index, std::uint64_t bits) {
  constexpr std::uint64_t kKinds = 4;
  if (is_rare_place(rule, index, kHeavyStride)) return static_cast<double>(float_from_bits(0x7f800000u));
  const std::uint64_t block = 4ull << (stretch_of(rule, index) + rule.seed) % kPlateaus;
  const std::uint64_t picked = input_bits(rule.seed ^ 0x73706172ull, index / block);
  const std::uint64_t kind = picked % kKinds, step = (picked >> 8) % 2 ? 2 : 2 + (picked >> 16) % 7;
  const bool here = (index + (picked >> 24)) % step == 0;
  const bool third = (index / block + rule.seed) % 3 == 0;
  return third || kind == 0 || (kind == 1 && here) ? 0 : normal_value(bits);
}

/// Exact on host and device: a random mantissa and a random power of two.
CUPILOT_ANYWHERE inline double magnitude_value(const InputRule &rule, std::uint64_t bits) {
  const int least = static_cast<int>(rule.a), span = static_cast<int>(rule.b) - least;
  const int power = static_cast<int>((bits >> 33) % static_cast<std::uint64_t>(span + 1)) + least;
  const double size = ldexp(1 + unit_interval(static_cast<std::uint32_t>(bits)) / 2, power);
  return (bits >> 32) & 1 ? size : -size;
}

/// Rows beside each other differ by up to 2^(b - a).
CUPILOT_ANYWHERE inline double scaled_value(const InputRule &rule, std::uint64_t index, std::uint64_t bits) {
  const int least = static_cast<int>(rule.a), span = static_cast<int>(rule.b) - least;
  const std::uint64_t picked = input_bits(rule.seed ^ 0x7363616cull, stretch_of(rule, index));
  return ldexp(normal_value(bits), static_cast<int>(picked % static_cast<std::uint64_t>(span + 1)) + least);
}

/// One in 16 of the places at the edges of tiles is an outlier.
CUPILOT_ANYWHERE inline double tile_edge_value(const InputRule &rule, std::uint64_t index,
                                               std::uint64_t bits) {
  const std::uint64_t place = index % kTile;
  const bool edge = place == 0 || place == kTile - 1;
  const bool outlier =
      edge && (input_bits(rule.seed ^ 0x65646765ull, index) % kRareEdge == 0 || index < kTile);
  return outlier ? rule.b * normal_value(bits) : normal_value(bits);
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
      // From -0.5 to 1.5: both signs, but sums do not cancel.
      return rule.count > 1 ? 2.0 * static_cast<double>(index) / static_cast<double>(rule.count - 1) - 0.5
                            : 1;
    case InputShape::one_hot:
      if (rule.count < kHotStride) return 1;
      if ((index + rule.seed % kHotStride) % kHotStride) return 0;
      return stretch_of(rule, index) % 2 ? 0x1p-10 : 1;
    case InputShape::special:
      return special_value(rule, index, bits);
    case InputShape::negative: {
      const double value = normal_value(bits);
      return -0.05 - (value < 0 ? -value : value);
    }
    case InputShape::positive: {
      const double value = normal_value(bits);
      return 0x1p-7 + (value < 0 ? -value : value);
    }
    case InputShape::scales:
      return scaled_value(rule, index, bits);
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
    case InputShape::plateaus:
      return plateau_value(rule, index);
    case InputShape::magnitudes:
      return magnitude_value(rule, bits);
    case InputShape::tile_edges:
      return tile_edge_value(rule, index, bits);
    case InputShape::far_scale:
      return far_scale_value(rule, bits);
    case InputShape::whole:
      return whole_value(rule, index, bits);
    case InputShape::masked:
      return masked_value(rule, index, bits);
    case InputShape::alike:
      return alike_value(rule, index, bits);
    case InputShape::nearly_level:
      return nearly_level_value(rule, index, bits);
    case InputShape::sparse:
      return sparse_value(rule, index, bits);
    case InputShape::levels:
      return level_value(rule, index, bits);
    case InputShape::patchwork:
      return patchwork_value(rule.patchwork, index);
    case InputShape::range_patchwork:
      if (rule.integers) return rule.a + patchwork_integer(rule.patchwork, whole_span(rule), index);
      return rule.a + (rule.b - rule.a) * patchwork_share(rule.patchwork, index);
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
    case InputShape::range_steps: {
      if (index + 1 >= rule.count) return rule.a + whole_span(rule) - 1;
      const double place =
          static_cast<double>(index) + (index ? 1 - unit_interval(static_cast<std::uint32_t>(bits)) : 0);
      return rule.a + floor(place / static_cast<double>(rule.count) * whole_span(rule));
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
  const bool probed = probe.kind != ProbeKind::none && index >= probe.begin && index < probe.end;
  if (probed && probe.kind == ProbeKind::impulse && index == probe.place) return probe.size;
  const bool redrawn = probed && probe.kind == ProbeKind::redraw;
  const std::uint64_t seed = redrawn ? rule.seed ^ 0xc2b2ae3d27d4eb4full : rule.seed;
  const double value = shaped_value(rule, index, input_bits(seed, index));  // once: it is long
  return probed && probe.kind == ProbeKind::block ? value * probe.size : value;
}

/// Mirrored at the bounds until it is between them, so that different values stay different.
CUPILOT_ANYWHERE inline double value_in_range(double value, double low, double high) {
  if (value >= low && value <= high) return value;
  const double span = high - low;
  double past = fmod(value - low, 2 * span);
  if (past < 0) past += 2 * span;
  return low + (past <= span ? past : 2 * span - past);
}

/// Rounds to nearest even, except tf32, which rounds ties away from zero as cvt.rna does.
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
  if (rule.ranged) value = value_in_range(value, rule.low, rule.high);
  return rounded_value(rounded_value(value, rule.rounding), rule.operands);
}

}  // namespace cupilot::judge::data
