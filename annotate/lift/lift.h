// SPDX-License-Identifier: Apache-2.0
//
// From a kernel's syntax to its lifted form (annotate/spec/lifted.h). What the threads of a block do together
// (trees in shared memory, shuffles) is executed with sets in place of numbers: whatever way it goes about
// it, a thread that ends up with the sum of all threads' parts holds the sum over the loop that made the
// parts.

#pragma once

#include "annotate/spec/kernel_spec.h"

namespace cupilot::lift {

/// The form of the kernel in the spec's slice, or in `missing` why there is none.
spec::Lifted lift(const spec::KernelSpec &spec);

}  // namespace cupilot::lift
