// SPDX-License-Identifier: Apache-2.0
//
// Links several PTX modules of one program (nvcc -rdc=true) into one. Declarations meet their definitions
// by name, the first of several weak definitions stays, and names that are private to a module are kept
// apart.

#pragma once

#include <vector>

#include "annotate/support/result.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::runtime {

Result<ptx::Module> link_modules(std::vector<ptx::Module> modules);

}  // namespace cupilot::emulate::runtime
