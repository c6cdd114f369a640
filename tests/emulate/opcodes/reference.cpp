// SPDX-License-Identifier: Apache-2.0

#include "tests/emulate/opcodes/reference.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

namespace cupilot::opcodes {
namespace {

using u64 = std::uint64_t;

long double largest(const Real &real) {
  const int exponent_bits = real.bits - 1 - real.mantissa;
  int exponent = (1 << exponent_bits) - 1 - real.bias;
  long double ones = 2 - std::ldexp(1.0L, -real.mantissa);
  if (real.top == Real::Top::infinity_and_nan) --exponent;
  if (real.top == Real::Top::one_nan) ones -= std::ldexp(1.0L, -real.mantissa);
  return std::ldexp(ones, exponent);
}

/// A representable magnitude to bits.
u64 magnitude_bits(long double value, const Real &real) {
  if (value == 0) return 0;
  int exponent = std::ilogb(value);
  const int least = 1 - real.bias;
  if (exponent < least) return static_cast<u64>(std::ldexp(value, real.mantissa - least));
  const auto fraction =
      static_cast<u64>(std::ldexp(value, real.mantissa - exponent)) - (u64{1} << real.mantissa);
  return static_cast<u64>(exponent + real.bias) << real.mantissa | fraction;
}

bool toward_zero(Mode mode, bool negative) {
  return mode == Mode::zero || (mode == Mode::down && !negative) || (mode == Mode::up && negative);
}

}  // namespace

Rounding::Rounding(Mode mode) : before_(std::fegetround()) {
  switch (mode) {
    case Mode::zero:
      std::fesetround(FE_TOWARDZERO);
      break;
    case Mode::down:
      std::fesetround(FE_DOWNWARD);
      break;
    case Mode::up:
      std::fesetround(FE_UPWARD);
      break;
    default:
      std::fesetround(FE_TONEAREST);
      break;
  }
}
Rounding::~Rounding() {
  std::fesetround(before_);
}

long double rounded_to_integer(long double value, Mode mode) {
  if (mode == Mode::away) return std::round(value);
  const Rounding rounding(mode);
  const volatile long double in = value;
  const volatile long double out = std::nearbyint(in);
  return out;
}

long double decode(u64 bits, const Real &real) {
  bits = bits >> real.shift;
  const bool negative = bits >> (real.bits - 1) & 1;
  const u64 magnitude = bits & ((u64{1} << (real.bits - 1)) - 1);
  const u64 fraction = magnitude & ((u64{1} << real.mantissa) - 1);
  const int exponent = static_cast<int>(magnitude >> real.mantissa);
  const int top = (1 << (real.bits - 1 - real.mantissa)) - 1;
  constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();
  constexpr long double kInfinity = std::numeric_limits<long double>::infinity();
  long double value = 0;
  if (real.top == Real::Top::infinity_and_nan && exponent == top)
    value = fraction != 0 ? kNan : kInfinity;
  else if (real.top == Real::Top::one_nan && magnitude == (u64{1} << (real.bits - 1)) - 1)
    value = kNan;
  else if (exponent == 0)
    value = std::ldexp(static_cast<long double>(fraction), 1 - real.bias - real.mantissa);
  else
    value = std::ldexp(static_cast<long double>(fraction + (u64{1} << real.mantissa)),
                       exponent - real.bias - real.mantissa);
  return negative ? -value : value;
}

u64 encode(long double value, const Real &real, Mode mode, bool finite) {
  if (std::isnan(value))
    return (real.top == Real::Top::numbers ? magnitude_bits(largest(real), real) : real.nan) << real.shift;
  const bool negative = std::signbit(value);
  const u64 sign = negative ? u64{1} << (real.bits - 1) : 0;
  const long double size = std::abs(value), most = largest(real);
  const bool none = finite || real.top == Real::Top::numbers;
  const u64 beyond = real.top == Real::Top::one_nan ? real.nan : magnitude_bits(most, real) + 1;
  if (std::isinf(value)) return (sign | (none ? magnitude_bits(most, real) : beyond)) << real.shift;
  if (size == 0) return sign << real.shift;
  const int exponent = std::max(std::ilogb(size), 1 - real.bias) - real.mantissa;
  const long double places = rounded_to_integer(std::ldexp(value, -exponent), mode);
  const long double rounded = std::abs(std::ldexp(places, exponent));
  if (rounded > most)
    return (sign | (none || toward_zero(mode, negative) ? magnitude_bits(most, real) : beyond)) << real.shift;
  return (sign | magnitude_bits(rounded, real)) << real.shift;
}

bool is_tiny(long double value, const Real &real, Mode mode) {
  if (value == 0 || !std::isfinite(value)) return false;
  const int place = std::ilogb(value) - real.mantissa;
  const long double rounded = std::ldexp(rounded_to_integer(std::ldexp(value, -place), mode), place);
  return std::abs(rounded) < std::ldexp(1.0L, 1 - real.bias);
}

double fused_to_odd(double a, double b, double c) {
  const Rounding rounding(Mode::zero);
  std::feclearexcept(FE_ALL_EXCEPT);
  const volatile double x = a, y = b, z = c;
  const volatile double r = std::fma(x, y, z);
  const double result = r;
  if (std::fetestexcept(FE_INEXACT) == 0 || !std::isfinite(result)) return result;
  return std::bit_cast<double>(std::bit_cast<u64>(result) | 1);
}

}  // namespace cupilot::opcodes
