// SPDX-License-Identifier: Apache-2.0
//
// Schedule `window-in-registers`: outputs that each look at a few neighbours (pooling, stencils, depthwise
// convolutions). A thread makes several outputs of a column and keeps what their windows have in common in
// registers; inside of the array, where no window reaches beyond an edge, nothing is tested and all loops are
// unrolled (unroll-and-jam and index set splitting: R. Allen, K. Kennedy, Optimizing Compilers for Modern
// Architectures, 2001).

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

Outcome write_window_in_registers(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
