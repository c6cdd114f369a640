// SPDX-License-Identifier: Apache-2.0
//
// What the elements of a buffer are like, in one pass over them.

#pragma once

#include <cstddef>
#include <span>

#include "evolution/capture/seen.h"

namespace cupilot::capture {

/// Bytes after the last whole element are left out. Class types: nothing is known.
Contents contents_of(std::span<const std::byte> bytes, spec::ElementType type);

/// The value of one element; NaN: the type is no number. `at` has as many bytes as the type.
double element_at(const std::byte *at, spec::ElementType type);
std::size_t bytes_of(spec::ElementType type);  ///< 0 of class types

}  // namespace cupilot::capture
