// SPDX-License-Identifier: Apache-2.0
//
// Makes loops of the coordinates that a walk through a kernel left: their ends come from the conditions that
// everything stands under, or from the size of the launch. Pure.

#pragma once

#include "annotate/lift/lifter.h"

namespace cupilot::lift {

Lift<spec::Lifted> with_axes(Walked walked);

}  // namespace cupilot::lift
