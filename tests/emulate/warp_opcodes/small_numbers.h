// SPDX-License-Identifier: Apache-2.0
//
// Small floating formats for references, by definition (sign, exponent, fraction) instead of by bit tricks.

#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace cupilot::opcodes {

/// A format with `exponent` and `fraction` bits, IEEE style.
inline double value_of_small(std::uint32_t bits, int exponent, int fraction) {
  const int bias = (1 << (exponent - 1)) - 1;
  const auto field = static_cast<int>(bits >> fraction & ((1u << exponent) - 1));
  const double tail = static_cast<double>(bits & ((1u << fraction) - 1));
  const double sign = bits >> (exponent + fraction) & 1 ? -1.0 : 1.0;
  if (field == (1 << exponent) - 1)
    return tail != 0 ? std::numeric_limits<double>::quiet_NaN()
                     : sign * std::numeric_limits<double>::infinity();
  if (field == 0) return sign * std::ldexp(tail, 1 - bias - fraction);
  return sign * std::ldexp(tail + std::ldexp(1.0, fraction), field - bias - fraction);
}
inline double value_of_f16(std::uint16_t bits) {
  return value_of_small(bits, 5, 10);
}
inline double value_of_bf16(std::uint16_t bits) {
  return value_of_small(bits, 8, 7);
}
inline double value_of_e5m2(std::uint8_t bits) {
  return value_of_small(bits, 5, 2);
}
inline double value_of_e4m3(std::uint8_t bits) {
  if ((bits & 0x7f) == 0x7f) return std::numeric_limits<double>::quiet_NaN();
  // Where others have infinity, this format goes on.
  if ((bits & 0x78) == 0x78) return (bits & 0x80 ? -1.0 : 1.0) * std::ldexp(8.0 + (bits & 7), 5);
  return value_of_small(bits, 4, 3);
}

/// The nearest number of the format, ties to even; the format is searched by its quantum.
inline std::uint32_t bits_of_small(double value, int exponent, int fraction) {
  const int bias = (1 << (exponent - 1)) - 1;
  const std::uint32_t sign = std::signbit(value) ? 1u << (exponent + fraction) : 0;
  const std::uint32_t infinity = ((1u << exponent) - 1) << fraction;
  if (std::isnan(value)) return (1u << (exponent + fraction)) - 1;
  double magnitude = std::fabs(value);
  if (std::isinf(value)) return sign | infinity;
  if (magnitude == 0) return sign;
  int power = std::ilogb(magnitude);
  if (power < 1 - bias) power = 1 - bias;
  const double quanta = std::nearbyint(std::ldexp(magnitude, fraction - power));
  // A carry out of the fraction raises the exponent by itself.
  const auto bits =
      static_cast<std::uint64_t>(quanta) + (static_cast<std::uint64_t>(power + bias - 1) << fraction);
  return sign | (bits >= infinity ? infinity : static_cast<std::uint32_t>(bits));
}
inline std::uint16_t f16_nearest(double value) {
  return static_cast<std::uint16_t>(bits_of_small(value, 5, 10));
}
inline std::uint16_t bf16_nearest(double value) {
  return static_cast<std::uint16_t>(bits_of_small(value, 8, 7));
}

}  // namespace cupilot::opcodes
