// SPDX-License-Identifier: Apache-2.0
//
// A build folder's compile_commands.json.

#pragma once

#include <filesystem>
#include <vector>

#include "annotate/extract/compile_command.h"

namespace cupilot {

/// The CUDA commands, in the file's order. An error names the file and the way out: missing, unreadable,
/// damaged, without commands, or stale (a source it names is gone).
Result<std::vector<CompileEntry>> read_compile_database(const std::filesystem::path &build_folder);

}  // namespace cupilot
