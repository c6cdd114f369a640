// SPDX-License-Identifier: Apache-2.0
//
// Limits that two folders keep which do not know each other: roles tell a model of them, the judge applies
// them.

#pragma once

#include <cstddef>

namespace cupilot {

/// Of a variant's text. A role refuses a longer answer, the judge a longer variant.
inline constexpr std::size_t kMostVariantBytes = 64 << 10;

/// A roof (memory, arithmetic) of which this share is reached is the one that holds a kernel back.
inline constexpr double kBoundShare = 0.6;

}  // namespace cupilot
