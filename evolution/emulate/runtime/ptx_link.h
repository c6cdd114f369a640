// SPDX-License-Identifier: Apache-2.0
//
// Several PTX modules of one program (nvcc -rdc=true) become one: declarations meet their definitions by
// name, of weak definitions the first stays, names that belong to one module alone are kept apart.

#pragma once

#include <vector>

#include "annotate/support/result.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate {

Result<ptx::Module> link_modules(std::vector<ptx::Module> modules);

}  // namespace cupilot::emulate
