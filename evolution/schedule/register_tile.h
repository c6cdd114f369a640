// SPDX-License-Identifier: Apache-2.0
//
// Schedule `register-tile`: sums of products of two operands, each of which some outputs share: matrix
// products in all layouts, batched ones, convolutions. Blocks bring tiles of both operands into shared
// memory, and every thread keeps a small tile of outputs in registers (V. Volkov, J. Demmel, Benchmarking
// GPUs to Tune Dense Linear Algebra, SC 2008). A convolution is the product of its weights with windows that
// are never stored (S. Chetlur et al., cuDNN: Efficient Primitives for Deep Learning, 2014).

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

Outcome write_register_tile(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
