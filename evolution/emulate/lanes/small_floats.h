// SPDX-License-Identifier: Apache-2.0
//
// f16 and bf16 to and from float, element by element, as atomics and matrix operations need them. Narrowing
// rounds to nearest even; a NaN becomes the canonical one, as on the hardware.

#pragma once

#include <bit>
#include <cstdint>

namespace cupilot::emulate {

/// Bits above the kept ones decide; `drop` low bits are rounded away to nearest even.
constexpr std::uint32_t round_away(std::uint32_t bits, int drop) {
  const std::uint32_t odd = bits >> drop & 1;
  return bits + (std::uint32_t{1} << (drop - 1)) - 1 + odd;
}

/// IEEE-like small formats with `exponent` and `mantissa` bits.
template <int exponent, int mantissa>
constexpr float widen_float(std::uint32_t small) {
  constexpr int kShift = 23 - mantissa, kBias = (1 << (exponent - 1)) - 1;
  constexpr std::uint32_t kMagnitude = (1u << (exponent + mantissa)) - 1;
  constexpr std::uint32_t kInfinity = ((1u << exponent) - 1) << mantissa;
  const std::uint32_t sign = (small & (1u << (exponent + mantissa))) << (31 - exponent - mantissa);
  const std::uint32_t magnitude = small & kMagnitude;
  if (magnitude >= kInfinity)
    return std::bit_cast<float>(sign | 0x7f800000 | (magnitude - kInfinity) << kShift);
  // As a float of the wrong exponent, then scaled: right for subnormal numbers, too.
  constexpr float kScale = std::bit_cast<float>(static_cast<std::uint32_t>(254 - kBias) << 23);
  return std::bit_cast<float>(
      sign | std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << kShift) * kScale));
}

constexpr float float_of_f16(std::uint16_t bits) {
  return widen_float<5, 10>(bits);
}
constexpr float float_of_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

constexpr std::uint16_t bf16_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<std::uint16_t>(round_away(bits, 16) >> 16);
}

constexpr std::uint16_t f16_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7fff;
  if (magnitude >= 0x47800000) return static_cast<std::uint16_t>(sign | 0x7c00);  // 65536 and more
  if (magnitude < 0x38800000) {  // subnormal in f16: the addition rounds to a multiple of 2^-24
    const float aligned = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(aligned) - 0x3f000000));
  }
  return static_cast<std::uint16_t>(sign | (round_away(magnitude, 13) - 0x38000000) >> 13);
}

/// Subnormal numbers become zero of the same sign.
constexpr float flushed(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return bits & 0x7f800000 ? value : std::bit_cast<float>(bits & 0x80000000);
}

}  // namespace cupilot::emulate
