// SPDX-License-Identifier: Apache-2.0
//
// Sums of products of floats on tensor cores, as exact as fp32, by halves: twice the rate of tf32. All
// elements of both operands are first made two halves of 11 bits, scaled so that the largest fits. Smaller
// ones lose bits from 2^-29 of the largest on; where that may matter to an output, it is computed once more
// in fp32.

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

/// Takes sums of floats whose factors are elements of buffers as they are; refuses others.
Outcome write_half_three_products(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
