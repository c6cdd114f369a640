// SPDX-License-Identifier: Apache-2.0
//
// Schedule `privatised-histogram`: updates of a few elements by many iterations. Every block has a copy of
// its own in shared memory, and adds it to the array at its end (J. Gomez-Luna et al., An optimized approach
// to histogram computation on GPU, Machine Vision and Applications 24, 2013).

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

Outcome write_privatised_histogram(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
