// SPDX-License-Identifier: Apache-2.0
//
// Schedule `transpose-through-shared`: elements whose inputs lie together along another axis than the output.
// Blocks take square tiles; what lies across goes through shared memory, so that it is read as it lies, too
// (G. Ruetsch, P. Micikevicius, Optimizing Matrix Transpose in CUDA, 2009).

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

Outcome write_transpose_through_shared(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
