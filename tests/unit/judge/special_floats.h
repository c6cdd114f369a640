// SPDX-License-Identifier: Apache-2.0
// The floats that comparisons get wrong most easily.

#pragma once

#include <limits>

namespace cupilot {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace cupilot
