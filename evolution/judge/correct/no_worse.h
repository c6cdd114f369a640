// SPDX-License-Identifier: Apache-2.0
//
// For inputs on which the original itself has no digits, as a variance that is taken as E[x^2] - E[x]^2 where
// x^2 overflows or the mean is large: its errors there decide nothing, and a candidate that adds in another
// order makes others. Where a twin is believed on most inputs, and only not on these, a candidate may also be
// no further from the twin than the original is. Pure.

#pragma once

#include <cstddef>
#include <span>

#include "annotate/spec/kernel_spec.h"

namespace cupilot::judge::correct {

/// True when each element of `got` is within kOwnMax times the original's largest error among its
/// kNeighbours (compare_twin.h) of `exact`, besides the smallest limit for rounding (kLeastMaxEps, relative
/// to |exact| and to the root mean square of all). A NaN or an infinity is only right where the original has
/// the same. Where the exact value is a number, so that only the original's steps overflowed, a number is
/// right that is within that multiple of the original's largest error of all. `original` and `got` hold
/// numbers of `type`, `exact` one for each: what the twin gives.
bool is_no_worse(spec::ElementType type, std::span<const std::byte> original, std::span<const float> exact,
                 std::span<const std::byte> got);

}  // namespace cupilot::judge::correct
