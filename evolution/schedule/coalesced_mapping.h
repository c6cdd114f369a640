// SPDX-License-Identifier: Apache-2.0
//
// Schedule `coalesced-mapping`: independent elements. Neighbouring threads take neighbouring elements of the
// array that is written, whatever axis the kernel gave them, several of them in one access where they lie
// together.

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

Outcome write_coalesced_mapping(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
