// SPDX-License-Identifier: Apache-2.0
//
// Where parameters lie: kernels' in one buffer as cudaLaunchKernel fills it, functions' and calls' lane by
// lane in the frame. Private to program/.

#pragma once

#include "evolution/emulate/program/program.h"

namespace cupilot::emulate {

/// Fills FunctionCode::parameters and parameter_bytes of an entry: declared order, each aligned as declared.
void place_entry_parameters(const ptx::Function &function, FunctionCode &code);

}  // namespace cupilot::emulate
