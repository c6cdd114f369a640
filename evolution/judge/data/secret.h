// SPDX-License-Identifier: Apache-2.0
//
// The secret part of a bundle's seeds, which the author of a variant cannot know.

#pragma once

#include <cstdint>

namespace cupilot::judge::data {

/// Draws a secret from the system's random source, once for each bundle. It is never 0, which means "no
/// secret", and it has at most 53 bits, so that any JSON reader keeps it exact.
std::uint64_t draw_secret();

}  // namespace cupilot::judge::data
