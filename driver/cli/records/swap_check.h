// SPDX-License-Identifier: Apache-2.0
//
// The last check before a record is published. It compiles the user's own translation unit with the user's
// own flags through cupilot-cc, with the record in a temporary folder, and checks that the swap takes place.

#pragma once

#include "driver/cli/project/project.h"
#include "evolution/record/record.h"

namespace cupilot::cli::records {

/// The check "swap into norm.cu". When it fails, it contains the message of the launcher or the compiler. It
/// is not run when nvcc or cupilot-cc is missing, or when the unchanged file does not compile.
model::FinalistCheck check_swap(const project::ProjectKernel &kernel, const record::RecordFiles &files);

}  // namespace cupilot::cli::records
