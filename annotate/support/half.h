// SPDX-License-Identifier: Apache-2.0
//
// Conversions of the two 16-bit floating types, stored as bits. The same code runs on the host, in device
// code and on the emulated device, so inputs made on the GPU and limits computed on the host agree. It is
// C++17 for nvcc. It rounds to nearest even and keeps NaN a NaN.

#pragma once

#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define CUPILOT_ANYWHERE __host__ __device__
#else
#define CUPILOT_ANYWHERE
#endif

namespace cupilot {

/// Storage types: elements of a buffer in memory.
struct F16 {
  std::uint16_t bits;
};
struct Bf16 {
  std::uint16_t bits;
};

CUPILOT_ANYWHERE inline std::uint32_t float_bits(float value) {
  std::uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
CUPILOT_ANYWHERE inline float float_from_bits(std::uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

CUPILOT_ANYWHERE inline std::uint16_t bf16_from_float(float value) {
  const std::uint32_t bits = float_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
CUPILOT_ANYWHERE inline float float_from_bf16(std::uint16_t bits) {
  return float_from_bits(static_cast<std::uint32_t>(bits) << 16);
}

CUPILOT_ANYWHERE inline std::uint16_t f16_from_float(float value) {
  const std::uint32_t bits = float_bits(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // rounds to 65520 or more
  if (magnitude < 0x38800000u) {  // subnormal: adding 0.5 lines the last half bit up with the last float bit
    const float shifted = float_from_bits(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (float_bits(shifted) - 0x3f000000u));
  }
  const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}
CUPILOT_ANYWHERE inline float float_from_f16(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fu, fraction = bits & 0x3ffu;
  if (exponent == 0x1f) return float_from_bits(sign | 0x7f800000u | (fraction << 13));
  if (exponent != 0) return float_from_bits(sign | ((exponent + 112) << 23) | (fraction << 13));
  const float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8f;  // 2^-24
  return sign ? -magnitude : magnitude;
}

}  // namespace cupilot
