// SPDX-License-Identifier: Apache-2.0

#include "tests/emulate/corpus/number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace cupilot::corpus {
namespace {

template <class T>
void put(std::byte *to, double value) {
  const T converted = static_cast<T>(value);
  std::memcpy(to, &converted, sizeof converted);
}
template <class T>
double get(const std::byte *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<double>(value);
}

std::uint16_t bits_of(const std::byte *from) {
  std::uint16_t value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

double half_to_double(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) value = fraction != 0 ? NAN : INFINITY;
  return (bits & 0x8000) != 0 ? -value : value;
}

std::uint16_t double_to_half(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  if (std::isnan(value)) return 0x7fff;
  if (value == 0) return sign;
  if (value >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
  int exponent = 0;
  std::frexp(value, &exponent);
  // One unit of the last place: 11 significant bits, 2^-24 at least.
  const int last = std::max(exponent - 11, -24);
  const double rounded = std::nearbyint(std::ldexp(value, -last));
  const int bits = ((last + 24) << 10) + static_cast<int>(rounded);
  return static_cast<std::uint16_t>(sign | bits);
}

std::uint16_t double_to_bf16(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (std::isnan(value)) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

void store(Scalar type, std::byte *to, double value) {
  switch (type) {
    case Scalar::i8:
      return put<std::int8_t>(to, value);
    case Scalar::u8:
      return put<std::uint8_t>(to, value);
    case Scalar::i16:
      return put<std::int16_t>(to, value);
    case Scalar::u16:
      return put<std::uint16_t>(to, value);
    case Scalar::i32:
      return put<std::int32_t>(to, value);
    case Scalar::u32:
      return put<std::uint32_t>(to, value);
    case Scalar::i64:
      return put<std::int64_t>(to, value);
    case Scalar::u64:
      return put<std::uint64_t>(to, value);
    case Scalar::f32:
      return put<float>(to, value);
    case Scalar::f64:
      return put<double>(to, value);
    case Scalar::f16:
    case Scalar::bf16:
      break;
  }
  const std::uint16_t bits = type == Scalar::f16 ? double_to_half(value) : double_to_bf16(value);
  std::memcpy(to, &bits, sizeof bits);
}

double load(Scalar type, const std::byte *from) {
  switch (type) {
    case Scalar::i8:
      return get<std::int8_t>(from);
    case Scalar::u8:
      return get<std::uint8_t>(from);
    case Scalar::i16:
      return get<std::int16_t>(from);
    case Scalar::u16:
      return get<std::uint16_t>(from);
    case Scalar::i32:
      return get<std::int32_t>(from);
    case Scalar::u32:
      return get<std::uint32_t>(from);
    case Scalar::i64:
      return get<std::int64_t>(from);
    case Scalar::u64:
      return get<std::uint64_t>(from);
    case Scalar::f32:
      return get<float>(from);
    case Scalar::f64:
      return get<double>(from);
    case Scalar::f16:
      return half_to_double(bits_of(from));
    case Scalar::bf16:
      break;
  }
  return std::bit_cast<float>(std::uint32_t{bits_of(from)} << 16);
}

}  // namespace cupilot::corpus
