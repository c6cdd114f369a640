// SPDX-License-Identifier: Apache-2.0
//
// Schedule `map`: independent elements. Neighbouring threads take neighbouring elements of the array that is
// written, whatever axis the kernel gave them, several of them in one access where they lie together.

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

Outcome write_map(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
