// SPDX-License-Identifier: Apache-2.0
//
// Copies and fills between host and device memory, checked against the device's allocations: a copy that
// passes the end of an allocation is refused and nothing is copied. Callers hold the call mutex.

#pragma once

#include <cstddef>
#include <cstdint>

#include "evolution/emulate/runtime/api/abi.h"

namespace cupilot::emulate::runtime {

/// A region of memory, made of rows of Shape::width bytes and slices of Shape::height rows.
struct Region {
  std::byte *address = nullptr;
  std::size_t pitch = 0;        ///< bytes from row to row
  std::size_t slice_pitch = 0;  ///< bytes from slice to slice
};
struct Shape {
  std::size_t width = 0, height = 1, depth = 1;
};

int copy_region(const Region &to, const Region &from, const Shape &shape, int kind);
int copy_bytes(void *to, const void *from, std::size_t bytes, int kind);
int copy_3d(const abi::Copy3D &copy);
/// Fills with the lowest `element_bytes` (1, 2 or 4) bytes of `value`.
int fill_region(const Region &to, const Shape &shape, unsigned value, unsigned element_bytes);

}  // namespace cupilot::emulate::runtime
