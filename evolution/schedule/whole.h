// SPDX-License-Identifier: Apache-2.0
//
// Schedule `whole`: loops that are not repeated for any output, such as the sum of an array. All threads of
// the device share each of them; every block leaves its share in scratch memory, and the next kernel begins
// with adding these up, in the same order each time.

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

Outcome write_whole(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
