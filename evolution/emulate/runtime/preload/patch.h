// SPDX-License-Identifier: Apache-2.0
//
// Overwrites the beginning of a function with a jump to another one.

#pragma once

#include <cstddef>
#include <span>

#include "annotate/support/result.h"

namespace cupilot::emulate::runtime::preload {

struct Patch {
  void *function = nullptr;
  const void *instead = nullptr;
};

/// Number of bytes that the jump occupies.
std::size_t jump_bytes();
/// Applies all patches or none. No thread may execute the patched functions meanwhile.
Result<> apply_patches(std::span<const Patch> patches);

}  // namespace cupilot::emulate::runtime::preload
