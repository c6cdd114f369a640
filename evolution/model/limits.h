// SPDX-License-Identifier: Apache-2.0
//
// Limits that both the roles and the judge need, although neither folder may include the other: a role states
// them to the model, the judge enforces them.

#pragma once

#include <cstddef>

namespace cupilot::model {

/// The largest size of a variant's text. A role refuses a longer answer, and the judge refuses a longer
/// variant.
inline constexpr std::size_t kMostVariantBytes = 64 << 10;

/// A kernel that reaches this share of a roofline limit (memory bandwidth or arithmetic peak) is bound by it.
inline constexpr double kBoundShare = 0.6;

}  // namespace cupilot::model
