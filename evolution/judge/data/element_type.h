// SPDX-License-Identifier: Apache-2.0
//
// The element types of buffers: their size, their machine epsilon, and how a value is read as a double.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/half.h"

namespace cupilot::judge::data {

inline constexpr double kEpsF16 = 0x1p-10, kEpsBf16 = 0x1p-7, kEpsF32 = 0x1p-23, kEpsF64 = 0x1p-52;

struct TypeTraits {
  spec::ElementType type;
  std::size_t size;  ///< bytes; 1 for `opaque`
  double eps;        ///< machine epsilon; 0 for types that are not floating
  double (*load)(const std::byte *);
};
const TypeTraits &traits_of(spec::ElementType type);

/// One number of a buffer as a double.
template <class T>
double load(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}
template <>
inline double load<F16>(const std::byte *at) {
  std::uint16_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return float_from_f16(bits);
}
template <>
inline double load<Bf16>(const std::byte *at) {
  std::uint16_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return float_from_bf16(bits);
}

/// Returns body(load), with the `load` of `type` in a form that compilers see through for floating types: in
/// a pass over a large output a call for each number is most of the time.
template <class Body>
auto with_load(spec::ElementType type, const Body &body) {
  switch (type) {
    case spec::ElementType::f16:
      return body([](const std::byte *at) { return load<F16>(at); });
    case spec::ElementType::bf16:
      return body([](const std::byte *at) { return load<Bf16>(at); });
    case spec::ElementType::f32:
      return body([](const std::byte *at) { return load<float>(at); });
    case spec::ElementType::f64:
      return body([](const std::byte *at) { return load<double>(at); });
    default:
      return body(traits_of(type).load);
  }
}

/// Machine epsilon, the spacing of the numbers just above 1; 0 for types that are not floating.
double type_eps(spec::ElementType type);

/// The smallest normal number; 0 for types that are not floating.
double smallest_normal(spec::ElementType type);

/// Bytes of one element; 0 for `opaque`.
std::size_t element_size(spec::ElementType type);

}  // namespace cupilot::judge::data
