// SPDX-License-Identifier: Apache-2.0
//
// What a step of `refine` may choose from, by what the kernel does (CuTeGen's workload-aware prompt).

#pragma once

#include <string>

#include "evolution/role/analyst.h"

namespace cupilot {

/// The pattern's menu and what to stay away from. `still_direct`: a convolution that is still a direct loop
/// nest; then a structural rewrite is all there is to choose.
std::string refine_menu(KernelPattern pattern, bool still_direct);

}  // namespace cupilot
