// SPDX-License-Identifier: Apache-2.0
//
// f16 and bf16 to and from float, element by element, as atomics and matrix operations need them. Narrowing
// rounds to nearest even; a NaN becomes the canonical one, as on the hardware.

#pragma once

#include <bit>
#include <cstdint>

#include "annotate/support/half.h"

namespace cupilot::emulate::lanes {

constexpr std::uint16_t kCanonicalNan = 0x7fff;  ///< of f16 and bf16 alike

inline float float_of_f16(std::uint16_t bits) {
  return float_from_f16(bits);
}
inline float float_of_bf16(std::uint16_t bits) {
  return float_from_bf16(bits);
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

}  // namespace cupilot::emulate::lanes
