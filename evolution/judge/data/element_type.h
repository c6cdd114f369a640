// SPDX-License-Identifier: Apache-2.0
//
// The element types of buffers: their size, their machine epsilon, and how a value is read as a double.

#pragma once

#include <cstddef>

#include "annotate/spec/kernel_spec.h"

namespace cupilot::judge::data {

inline constexpr double kEpsF16 = 0x1p-10, kEpsBf16 = 0x1p-7, kEpsF32 = 0x1p-23, kEpsF64 = 0x1p-52;

struct TypeTraits {
  spec::ElementType type;
  std::size_t size;  ///< bytes; 1 for `opaque`
  double eps;        ///< machine epsilon; 0 for types that are not floating
  double (*load)(const std::byte *);
};
const TypeTraits &traits_of(spec::ElementType type);

/// Machine epsilon, the spacing of the numbers just above 1; 0 for types that are not floating.
double type_eps(spec::ElementType type);

/// The smallest normal number; 0 for types that are not floating.
double smallest_normal(spec::ElementType type);

/// Bytes of one element; 0 for `opaque`.
std::size_t element_size(spec::ElementType type);

}  // namespace cupilot::judge::data
