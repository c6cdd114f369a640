// SPDX-License-Identifier: Apache-2.0
//
// The last check before a record is published: the user's own translation unit, compiled with the user's own
// flags through cupilot-cc, with the record in a folder that goes with it. A record that does not swap in is
// no use to anybody.

#pragma once

#include "driver/cli/project.h"
#include "evolution/record/record.h"

namespace cupilot::cli {

/// "swap into norm.cu": failed with what the launcher or the compiler said; not run where there is no nvcc,
/// no cupilot-cc, or where the file does not compile as it is.
FinalistCheck check_swap(const ProjectKernel &kernel, const RecordFiles &files);

}  // namespace cupilot::cli
