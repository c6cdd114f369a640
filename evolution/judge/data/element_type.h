// SPDX-License-Identifier: Apache-2.0
//
// The element types of buffers as numbers: size, spacing, and any value read as a double.

#pragma once

#include <cstddef>

#include "annotate/spec/kernel_spec.h"

namespace cupilot {

inline constexpr double kEpsF16 = 0x1p-10, kEpsBf16 = 0x1p-7, kEpsF32 = 0x1p-23, kEpsF64 = 0x1p-52;

struct TypeTraits {
  ElementType type;
  std::size_t size;  ///< bytes; 1 for `opaque`
  double eps;        ///< 0: not floating
  double (*load)(const std::byte *);
};
const TypeTraits &traits_of(ElementType type);

/// Spacing of the numbers just above 1; 0 for types that are not floating.
double type_eps(ElementType type);

/// Bytes of one element; 0 for `opaque`.
std::size_t element_size(ElementType type);

}  // namespace cupilot
