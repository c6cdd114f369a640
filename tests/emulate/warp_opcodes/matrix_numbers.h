// SPDX-License-Identifier: Apache-2.0
//
// Matrix elements for references: random numbers of every operand type, and sums in the widest arithmetic.

#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "tests/emulate/warp_opcodes/small_numbers.h"
#include "tests/emulate/warp_opcodes/warp_case.h"

namespace cupilot::opcodes {

inline unsigned element_bits(const std::string &type) {
  if (type == "f64") return 64;
  if (type == "tf32" || type == "f32" || type == "s32") return 32;
  if (type == "f16" || type == "bf16") return 16;
  if (type == "s4" || type == "u4") return 4;
  return type == "b1" ? 1 : 8;
}

inline double element_value(const std::string &type, std::uint64_t bits) {
  if (type == "f16") return value_of_f16(static_cast<std::uint16_t>(bits));
  if (type == "bf16") return value_of_bf16(static_cast<std::uint16_t>(bits));
  if (type == "e4m3") return value_of_e4m3(static_cast<std::uint8_t>(bits));
  if (type == "e5m2") return value_of_e5m2(static_cast<std::uint8_t>(bits));
  if (type == "f64") return std::bit_cast<double>(bits);
  if (type == "f32" || type == "tf32") return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const unsigned width = element_bits(type);
  const bool negative = type.front() == 's' && bits >> (width - 1) & 1;
  return static_cast<double>(bits) - (negative ? std::ldexp(1.0, static_cast<int>(width)) : 0);
}

/// A number of the type's own; `plain`: small multiples, whose sums are exact in any order.
inline std::uint64_t random_element(const std::string &type, std::uint64_t seed, bool plain) {
  const std::uint64_t random = scrambled(seed);
  const double small = (static_cast<double>(random % 17) - 8) / 4;
  const double wide = (static_cast<double>(random >> 20 & 0xffffff) / 0x1p23 - 1) * 2;
  const double value = plain ? small : wide;
  if (type == "f16") return f16_nearest(value);
  if (type == "bf16") return bf16_nearest(value);
  if (type == "e4m3") return bits_of_small(plain ? small : std::nearbyint(wide * 4) / 4, 4, 3);
  if (type == "e5m2") return bits_of_small(value, 5, 2);
  if (type == "f64") return std::bit_cast<std::uint64_t>(value);
  if (type == "f32") return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == "tf32") return std::bit_cast<std::uint32_t>(static_cast<float>(value)) & 0xffffe000;
  if (type == "s32") return static_cast<std::uint32_t>(random % 2001) - 1000u;
  return random & ((std::uint64_t{1} << element_bits(type)) - 1);
}

inline std::uint64_t result_bits(const std::string &type, double value) {
  if (type == "f16") return f16_nearest(value);
  if (type == "f64") return std::bit_cast<std::uint64_t>(value);
  if (type == "f32") return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}

}  // namespace cupilot::opcodes
