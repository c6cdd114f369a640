// SPDX-License-Identifier: Apache-2.0
//
// A wall around the compiler: a candidate's source cannot name files outside the slice (the static check),
// and the compiler could not read them either. It reads toolkit, system headers, the bundle and the folders
// its flags name, and writes the candidate's folder. Not a sandbox: compilers start programs.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "evolution/judge/sandbox/landlock.h"

namespace cupilot {

/// `command` is run in `folder` of a bundle.
std::vector<PathAccess> compiler_files(const std::vector<std::string> &command,
                                       const std::filesystem::path &bundle,
                                       const std::filesystem::path &folder);

}  // namespace cupilot
