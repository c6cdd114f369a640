// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/lanes/convert/convert_any.h"

#include <array>
#include <bit>

namespace cupilot::emulate::lanes {
namespace {

using u64 = std::uint64_t;
using Kind = Format::Kind;
using Specials = Format::Specials;

struct Named {
  std::string_view name;
  Format format;
};
constexpr Format integer(Kind kind, std::uint8_t bits) {
  return {kind, bits, 0, 0, Specials::none, 0, 0};
}
constexpr Format floating(std::uint8_t bits, std::uint8_t mantissa, std::int16_t bias, Specials specials,
                          u64 nan, std::uint8_t low = 0) {
  return {Kind::floating, bits, mantissa, bias, specials, nan, low};
}
constexpr std::array kFormats = {
    Named{"u8", integer(Kind::unsigned_integer, 8)},
    Named{"u16", integer(Kind::unsigned_integer, 16)},
    Named{"u32", integer(Kind::unsigned_integer, 32)},
    Named{"u64", integer(Kind::unsigned_integer, 64)},
    Named{"s8", integer(Kind::signed_integer, 8)},
    Named{"s16", integer(Kind::signed_integer, 16)},
    Named{"s32", integer(Kind::signed_integer, 32)},
    Named{"s64", integer(Kind::signed_integer, 64)},
    Named{"f16", floating(16, 10, 15, Specials::ieee, 0x7fff)},
    Named{"bf16", floating(16, 7, 127, Specials::ieee, 0x7fff)},
    Named{"tf32", floating(19, 10, 127, Specials::ieee, 0x3ffff, 13)},
    Named{"f32", floating(32, 23, 127, Specials::ieee, 0x7fffffff)},
    Named{"f64", floating(64, 52, 1023, Specials::ieee, 0x7ff8000000000000)},
    Named{"e4m3", floating(8, 3, 7, Specials::nan_only, 0x7f)},
    Named{"e5m2", floating(8, 2, 15, Specials::ieee, 0x7f)},
    Named{"e2m3", floating(6, 3, 1, Specials::none, 0)},
    Named{"e3m2", floating(6, 2, 3, Specials::none, 0)},
    Named{"e2m1", floating(4, 1, 1, Specials::none, 0)},
    Named{"ue8m0", floating(9, 0, 127, Specials::nan_only, 0xff)},
};

/// significand * 2^exponent, exactly.
struct Value {
  enum class Class : std::uint8_t { finite, infinite, nan };
  Class what = Class::finite;
  bool negative = false;
  u64 significand = 0;
  int exponent = 0;
};

u64 low_bits(int count) {
  return count >= 64 ? ~u64{0} : (u64{1} << count) - 1;
}

Value take_integer_apart(u64 bits, const Format &format) {
  Value value;
  value.negative = format.kind == Kind::signed_integer && (bits >> 63) != 0;
  value.significand = value.negative ? u64{0} - bits : bits;
  return value;
}

Value take_floating_apart(u64 bits, const Format &format) {
  bits = bits >> format.unused_low & low_bits(format.bits);
  const int exponent_bits = format.bits - 1 - format.mantissa;
  const u64 mantissa = bits & low_bits(format.mantissa);
  const u64 exponent = bits >> format.mantissa & low_bits(exponent_bits);
  const u64 top = low_bits(exponent_bits);
  Value value;
  value.negative = (bits >> (format.bits - 1)) != 0;
  if (format.specials == Specials::ieee && exponent == top) {
    value.what = mantissa != 0 ? Value::Class::nan : Value::Class::infinite;
    return value;
  }
  if (format.specials == Specials::nan_only && exponent == top && mantissa == low_bits(format.mantissa)) {
    value.what = Value::Class::nan;
    return value;
  }
  // ue8m0 has no zero and no subnormals.
  const bool normal = exponent != 0 || format.mantissa == 0;
  value.significand = mantissa | (normal ? u64{1} << format.mantissa : 0);
  value.exponent =
      static_cast<int>(format.mantissa == 0 || exponent != 0 ? exponent : 1) - format.bias - format.mantissa;
  return value;
}

/// .ftz applies to f32.
bool flushes(const Format &format) {
  return format.bits == 32 && format.kind == Kind::floating;
}

/// significand >> shift, rounded.
u64 shifted_right(u64 significand, int shift, bool negative, Rounding rounding) {
  if (shift <= 0) return significand;
  const u64 kept = shift >= 64 ? 0 : significand >> shift;
  const u64 lost = shift >= 64 ? significand : significand & low_bits(shift);
  if (lost == 0) return kept;
  // Of lost against one half: -1, 0, 1; beyond 64 places everything is less than a half.
  int against_half = -1;
  if (shift <= 64) {
    const u64 half = u64{1} << (shift - 1);
    against_half = lost < half ? -1 : lost == half ? 0 : 1;
  }
  switch (rounding) {
    case Rounding::nearest_even:
      return kept + (against_half > 0 || (against_half == 0 && (kept & 1)) ? 1 : 0);
    case Rounding::nearest_away:
      return kept + (against_half >= 0 ? 1 : 0);
    case Rounding::zero:
      return kept;
    case Rounding::down:
      return kept + (negative ? 1 : 0);
    case Rounding::up:
      return kept + (negative ? 0 : 1);
  }
  return kept;
}

u64 largest_finite(const Format &format) {
  const u64 magnitude = low_bits(format.bits - 1);
  switch (format.specials) {
    case Specials::ieee:
      return magnitude - low_bits(format.mantissa) - 1;
    case Specials::nan_only:
      return magnitude - 1;
    case Specials::none:
      return magnitude;
  }
  return magnitude;
}

/// Magnitude bits of a result beyond the largest finite number.
u64 overflowed(const Format &format, bool negative, Rounding rounding, bool finite) {
  const bool toward_zero = rounding == Rounding::zero || (rounding == Rounding::down && !negative) ||
                           (rounding == Rounding::up && negative);
  if (finite || toward_zero || format.specials == Specials::none) return largest_finite(format);
  return format.specials == Specials::ieee ? largest_finite(format) + 1 : format.nan;
}

/// f64 gives NaN with its sign and the quiet bit alone, all others the canonical one.
u64 nan_bits(const Conversion &how, u64 sign) {
  const Format &to = how.to;
  if (to.specials == Specials::none) return largest_finite(to);
  const bool keeps_sign = how.from.bits == 64 && to.specials == Specials::ieee;
  return keeps_sign ? sign | (largest_finite(to) + 1) | u64{1} << (to.mantissa - 1) : to.nan;
}

/// True when the value is below the smallest normal number after rounding with an unbounded exponent; .ftz
/// flushes such values.
bool is_tiny(const Value &value, const Conversion &how) {
  const Format &to = how.to;
  const int width = static_cast<int>(std::bit_width(value.significand)), surplus = width - 1 - to.mantissa;
  if (surplus <= 0) return value.exponent + width - 1 < 1 - to.bias;
  const u64 rounded = shifted_right(value.significand, surplus, value.negative, how.rounding);
  const int carry = (rounded >> (to.mantissa + 1)) != 0 ? 1 : 0;
  return value.exponent + width - 1 + carry < 1 - to.bias;
}

u64 put_floating_together(const Value &value, const Conversion &how) {
  const Format &to = how.to;
  const u64 sign = value.negative ? u64{1} << (to.bits - 1) : 0;
  if (value.what == Value::Class::nan) return nan_bits(how, sign);
  if (value.what == Value::Class::infinite) {
    const bool none = how.finite || to.specials == Specials::none;
    return sign | (none                            ? largest_finite(to)
                   : to.specials == Specials::ieee ? largest_finite(to) + 1
                                                   : to.nan);
  }
  if (value.significand == 0 || (how.flush && flushes(to) && is_tiny(value, how))) return sign;
  // The exponent of the result's last place: that of a normal number, or of subnormals.
  const int width = static_cast<int>(std::bit_width(value.significand));
  const int least = 1 - to.bias - to.mantissa;
  int place = value.exponent + width - 1 - to.mantissa;
  if (place < least) place = least;
  u64 significand = value.exponent >= place ? value.significand << (value.exponent - place)
                                            : shifted_right(value.significand, place - value.exponent,
                                                            value.negative, how.rounding);
  if (significand >> (to.mantissa + 1) != 0) {
    significand >>= 1;
    ++place;
  }
  const bool normal = (significand >> to.mantissa & 1) != 0;
  const std::int64_t exponent = normal ? place + to.mantissa + to.bias : 0;
  const u64 magnitude = static_cast<u64>(exponent) << to.mantissa | (significand & low_bits(to.mantissa));
  const bool beyond = exponent > static_cast<std::int64_t>(low_bits(to.bits - 1 - to.mantissa)) ||
                      magnitude > largest_finite(to);
  return sign | (beyond ? overflowed(to, value.negative, how.rounding, how.finite) : magnitude);
}

/// A power of two, no sign; the least exponent stands for everything smaller.
u64 put_power_together(const Value &value, const Conversion &how) {
  if (value.what == Value::Class::nan) return how.to.nan;
  if (value.what == Value::Class::infinite) return how.finite ? 0xfe : how.to.nan;
  if (value.significand == 0) return 0;
  const int width = static_cast<int>(std::bit_width(value.significand));
  int exponent = value.exponent + width - 1;
  const bool exact = std::has_single_bit(value.significand);
  if (!exact && how.rounding == Rounding::up) ++exponent;
  if (exponent < -127) return 0;
  if (exponent > 127) return how.finite ? 0xfe : how.to.nan;
  return static_cast<u64>(exponent + 127);
}

u64 put_integer_together(const Value &value, const Conversion &how) {
  const Format &to = how.to;
  const bool signs = to.kind == Kind::signed_integer;
  const u64 top = u64{1} << (to.bits - 1);
  const bool from_floating = how.from.kind == Kind::floating;
  if (value.what == Value::Class::nan) {
    const u64 wide = to.bits == 64 || how.from.bits == 64 ? top : 0;
    return signs && wide != 0 && to.bits < 64 ? ~u64{0} << (to.bits - 1) : wide;
  }
  bool beyond = value.what == Value::Class::infinite;
  u64 magnitude = 0;
  if (!beyond) {
    const int width = static_cast<int>(std::bit_width(value.significand));
    beyond = value.significand != 0 && value.exponent + width > 64;
    if (!beyond)
      magnitude = value.exponent >= 0
                      ? value.significand << value.exponent
                      : shifted_right(value.significand, -value.exponent, value.negative, how.rounding);
  }
  if (from_floating || how.saturate) {
    const u64 most = signs ? top - 1 : low_bits(to.bits);
    const u64 least = signs ? top : 0;
    if (value.negative && (beyond || magnitude > least)) magnitude = least;
    if (!value.negative && (beyond || magnitude > most)) magnitude = most;
  }
  const u64 bits = (value.negative ? u64{0} - magnitude : magnitude) & low_bits(to.bits);
  const bool extend = signs && to.bits < 64 && (bits & top) != 0;
  return extend ? bits | ~low_bits(to.bits) : bits;
}

/// Rounded to an integer, still a value; only the sign remains of what becomes zero.
Value to_whole(Value value, Rounding rounding) {
  if (value.what != Value::Class::finite || value.exponent >= 0) return value;
  value.significand = shifted_right(value.significand, -value.exponent, value.negative, rounding);
  value.exponent = 0;
  return value;
}

bool is_subnormal(const Value &value, const Format &format) {
  return value.what == Value::Class::finite && (value.significand >> format.mantissa) == 0;
}

Value clamp_to_one(const Value &value) {
  const bool positive = !value.negative && value.what != Value::Class::nan;
  Value clamped;
  if (!positive) return clamped;
  const int width = static_cast<int>(std::bit_width(value.significand));
  const bool beyond =
      value.what == Value::Class::infinite || (value.significand != 0 && value.exponent + width > 0);
  if (!beyond) return value;
  clamped.significand = 1;
  return clamped;
}

}  // namespace

std::optional<Format> format_of(std::string_view type) {
  for (const Named &each : kFormats) {
    if (each.name == type) return each.format;
  }
  return std::nullopt;
}

u64 convert_bits(u64 bits, const Conversion &how) {
  const bool from_floating = how.from.kind == Kind::floating, to_floating = how.to.kind == Kind::floating;
  // Conversions to tf32 that round ties away look at the upper bits of NaN only.
  if (how.to.unused_low != 0 && how.rounding == Rounding::nearest_away && (bits & 0x7f800000) == 0x7f800000)
    bits &= ~low_bits(how.to.unused_low);
  Value value = from_floating ? take_floating_apart(bits, how.from) : take_integer_apart(bits, how.from);
  if (how.flush && flushes(how.from) && is_subnormal(value, how.from)) value.significand = 0;
  if (how.to_whole) value = to_whole(value, how.rounding);
  if (!to_floating) return put_integer_together(value, how);
  if (how.saturate) value = clamp_to_one(value);
  if (how.relu && value.what != Value::Class::nan && value.negative) value = Value{};
  if (how.to.mantissa == 0) return put_power_together(value, how);
  return put_floating_together(value, how) << how.to.unused_low;
}

}  // namespace cupilot::emulate::lanes
