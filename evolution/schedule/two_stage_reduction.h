// SPDX-License-Identifier: Apache-2.0
//
// Schedule `two-stage-reduction`: loops that are not repeated for any output, such as the sum of an array.
// All threads of the device share each of them; every block leaves its share in scratch memory, and the next
// kernel begins with adding these up, in the same order each time.

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

Outcome write_two_stage_reduction(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
