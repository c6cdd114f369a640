// SPDX-License-Identifier: Apache-2.0
//
// Some sources compile to something else when a wrapper includes them: those that ask how deep they are
// included, or which file is the main one. They get their original kernels.

#pragma once

#include <string>
#include <vector>

#include "driver/launcher/user_files.h"

namespace cupilot::launcher {

/// Names place and reason; empty when the wrapper makes no difference. It sees the user's files and the
/// options, not the headers of -isystem folders.
std::string unwrappable(const CompileJob &job, const std::vector<UserFile> &files);

}  // namespace cupilot::launcher
