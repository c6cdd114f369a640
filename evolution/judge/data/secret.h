// SPDX-License-Identifier: Apache-2.0
//
// The part of a bundle's seeds that whoever wrote a variant cannot know.

#pragma once

#include <cstdint>

namespace cupilot {

/// Fresh from the system, once a bundle; never 0, which means that there is none. Small enough for any JSON
/// reader's numbers.
std::uint64_t draw_secret();

}  // namespace cupilot
