// SPDX-License-Identifier: Apache-2.0
//
// Reads the compile_commands.json of a build folder.

#pragma once

#include <filesystem>
#include <vector>

#include "annotate/extract/compile_command.h"

namespace cupilot::extract {

/// Returns the CUDA commands in the file's order. The error names the file and how to fix it. It occurs when
/// the file is missing, unreadable, damaged, without commands, or stale (a source it names does not exist).
Result<std::vector<CompileEntry>> read_compile_database(const std::filesystem::path &build_folder);

}  // namespace cupilot::extract
