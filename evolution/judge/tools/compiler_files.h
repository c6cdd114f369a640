// SPDX-License-Identifier: Apache-2.0
//
// Restricts which files the compiler can open. The static check already refuses sources that name files
// outside the slice; this is a second barrier. The compiler may read the toolkit, the host compiler, the
// system's programs and headers, the bundle and the folders that its flags and CUPILOT_COMPILER_FILES name,
// and write to the candidate's folder. A home folder is never readable as a whole. It is no sandbox:
// compilers start programs.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "evolution/judge/sandbox/landlock.h"

namespace cupilot::judge::tools {

/// The files that `command` may open when it runs in `folder` of a bundle.
std::vector<sandbox::PathAccess> compiler_files(const std::vector<std::string> &command,
                                                const std::filesystem::path &bundle,
                                                const std::filesystem::path &folder);

}  // namespace cupilot::judge::tools
