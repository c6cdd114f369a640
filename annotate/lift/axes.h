// SPDX-License-Identifier: Apache-2.0
//
// Makes loops of the coordinates that a walk through a kernel left: their ends come from the conditions that
// everything stands under, or from the size of the launch. Pure.

#pragma once

#include "annotate/lift/lifter.h"

namespace cupilot::lift {

/// `holds` as in split_axes.
Lift<spec::Lifted> with_axes(Walked walked, const Holds &holds);

}  // namespace cupilot::lift
