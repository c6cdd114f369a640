// SPDX-License-Identifier: Apache-2.0
//
// The largest value of a row and the sum of exponentials below it in one loop: the sum is of what lies below
// the largest value so far, and is scaled where that grows (M. Milakov, N. Gimelshein, Online normalizer
// calculation for softmax, arXiv 1805.02867). It grows in steps of 16 or more, so that few roundings are
// added.

#pragma once

#include <optional>
#include <string>

#include "evolution/schedule/span.h"

namespace cupilot::schedule {

struct RescaledSum {
  spec::Statement loop;        ///< in place of both
  std::string before, factor;  ///< declarations; what a thread's share of the sum is to be multiplied by
};

/// Two loops as one, if the first finds the largest of the elements (`top`) whose exponentials the second
/// adds up: `sum += expf(x[c] - top)`. The shares of a thread are `$top_part` and `$sum_part`.
std::optional<RescaledSum> rescaled_sum(const Span &largest, const Span &sum);

}  // namespace cupilot::schedule
