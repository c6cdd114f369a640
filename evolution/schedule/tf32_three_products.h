// SPDX-License-Identifier: Apache-2.0
//
// Sums of products on tensor cores, as exact as fp32: each factor in two parts of 11 bits, three of the four
// products (H. Ootomo, R. Yokota, Recovering single precision accuracy from Tensor Cores while surpassing the
// FP32 theoretical peak performance, arXiv 2203.03341).

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

/// Takes sums of floats; refuses others.
Outcome write_tf32_three_products(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
