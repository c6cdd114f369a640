// SPDX-License-Identifier: Apache-2.0
//
// Any conversion between scalar types, exactly, in every rounding mode: a value is taken apart into sign,
// significand and exponent, and put together once in the other format. It is complete but slow; frequent
// conversions have vector code (convert_lanes).

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "evolution/emulate/program/step.h"

namespace cupilot::emulate::lanes {

/// The bit layout of a scalar type. Floating-point: 1 sign bit (except ue8m0), exponent, mantissa.
struct Format {
  enum class Kind : std::uint8_t { unsigned_integer, signed_integer, floating };
  /// What the largest exponents mean: infinity and NaN; only NaN, all ones (e4m3); nothing (e2m3, e2m1).
  enum class Specials : std::uint8_t { ieee, nan_only, none };
  Kind kind = Kind::unsigned_integer;
  std::uint8_t bits = 32;
  std::uint8_t mantissa = 0;
  std::int16_t bias = 0;
  Specials specials = Specials::ieee;
  std::uint64_t nan = 0;        ///< the canonical one
  std::uint8_t unused_low = 0;  ///< tf32 lies in the upper 19 of 32 bits
};
/// "s8", "f16", "bf16", "tf32", "e4m3", ...; for a packed type pass its element type.
std::optional<Format> format_of(std::string_view type);

enum class Rounding : std::uint8_t { nearest_even, nearest_away, zero, down, up };

struct Conversion {
  Format from, to;
  Rounding rounding = Rounding::nearest_even;
  bool to_whole = false;  ///< .rni .rzi .rmi .rpi
  bool flush = false;     ///< .ftz: of the f32 or f16 side
  bool saturate = false;  ///< floating: to [0, 1]; integer: to the range
  bool relu = false, finite = false;
};
/// Converts the bits of one value; integers are sign- or zero-extended to 64 bits on both sides.
std::uint64_t convert_bits(std::uint64_t bits, const Conversion &conversion);

/// A conversion step: one or two source values a lane, or two packed in one register, in registers of these
/// widths. Step::detail.
struct ConversionStep {
  Conversion conversion;
  std::uint8_t from_storage = 32, to_storage = 32;  ///< register bits: 8, 16, 32, 64
  std::uint8_t sources = 1;                         ///< registers: a, b -> {a high, b low}
  bool packed = false;                              ///< one register with two values -> two values
};
void convert_any(machine::Warp &warp, const program::Step &step, program::Mask mask);

/// cvt.pack: d = {c's low bits, a, b}, a and b s32 saturated to `bits`. Step::detail.
struct PackStep {
  std::uint8_t bits = 16;
  bool sign = false;
  bool shifted = false;  ///< a third operand fills the rest
};
void pack_saturated(machine::Warp &warp, const program::Step &step, program::Mask mask);

}  // namespace cupilot::emulate::lanes
