// SPDX-License-Identifier: Apache-2.0
//
// Runs a compiler on sources that nobody trusts: it can read the files that it needs, write the candidate's
// folder, and use memory and disk up to the limits of CUPILOT_COMPILER_MEMORY_MB and
// CUPILOT_COMPILER_FILE_MB.

#pragma once

#include <filesystem>

#include "annotate/support/process.h"
#include "annotate/support/result.h"

namespace cupilot::judge::tools {

/// The compiler gets a folder of its own for temporary files in `folder`.
Result<ProcessResult> run_compiler(ProcessRequest request, const std::filesystem::path &bundle,
                                   const std::filesystem::path &folder);

}  // namespace cupilot::judge::tools
