// SPDX-License-Identifier: Apache-2.0
//
// The depfile after a compile, as the build system shall see it: the user's source instead of the wrapper,
// none of the wrapper's own files, and what the swap depends on besides.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cupilot::launcher {

/// `folder` holds the wrapper's files; paths in it are dropped. Returns an empty text when `depfile` has no
/// rule.
std::string edit_depfile(std::string_view depfile, const std::filesystem::path &source,
                         const std::filesystem::path &folder,
                         const std::vector<std::filesystem::path> &added);

}  // namespace cupilot::launcher
