// SPDX-License-Identifier: Apache-2.0
//
// The beginning of a function becomes a jump to another one.

#pragma once

#include <cstddef>
#include <span>

#include "annotate/support/result.h"

namespace cupilot::emulate {

struct Patch {
  void *function = nullptr;
  const void *instead = nullptr;
};

/// Bytes a jump takes from the function's beginning.
std::size_t jump_bytes();
/// All of them, or none; nothing may run in these functions meanwhile.
Result<> apply_patches(std::span<const Patch> patches);

}  // namespace cupilot::emulate
