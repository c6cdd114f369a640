// SPDX-License-Identifier: Apache-2.0
//
// f16, bf16, tf32, e4m3 and e5m2 to and from float, element by element, as atomics and matrix operations need
// them. Narrowing rounds to nearest even; a NaN becomes the canonical one, as on the hardware.

#pragma once

#include <bit>
#include <cstdint>

#include "annotate/support/half.h"

namespace cupilot::emulate {

constexpr std::uint16_t kCanonicalNan = 0x7fff;  ///< of f16 and bf16 alike

inline float float_of_f16(std::uint16_t bits) {
  return float_from_f16(bits);
}
inline float float_of_bf16(std::uint16_t bits) {
  return float_from_bf16(bits);
}
/// e5m2 is the upper half of f16.
inline float float_of_e5m2(std::uint8_t bits) {
  return float_from_f16(static_cast<std::uint16_t>(bits << 8));
}
/// e4m3 has no infinity; all ones is its NaN.
constexpr float float_of_e4m3(std::uint8_t bits) {
  if ((bits & 0x7f) == 0x7f) return std::bit_cast<float>(0x7fffffffu);
  const auto scaled = std::bit_cast<float>(static_cast<std::uint32_t>(bits & 0x7f) << 20) * 0x1p120f;
  return bits & 0x80 ? -scaled : scaled;
}
/// The tensor cores read the upper 19 bits of the register.
constexpr float float_of_tf32(std::uint32_t bits) {
  return std::bit_cast<float>(bits & 0xffffe000u);
}

inline std::uint16_t bf16_of_float(float value) {
  return value != value ? kCanonicalNan : bf16_from_float(value);
}
inline std::uint16_t f16_of_float(float value) {
  return value != value ? kCanonicalNan : f16_from_float(value);
}

/// Subnormal numbers become zero of the same sign.
constexpr float flushed(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return bits & 0x7f800000 ? value : std::bit_cast<float>(bits & 0x80000000);
}

}  // namespace cupilot::emulate
