// SPDX-License-Identifier: Apache-2.0
//
// Edits the depfile of a compile for the build system: it lists the user's source instead of the wrapper,
// none of the wrapper's own files, and the files that the swap depends on besides.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cupilot::launcher {

/// `folder` holds the wrapper's files, whose paths are dropped. The result is empty when `depfile` has no
/// rule.
std::string edit_depfile(std::string_view depfile, const std::filesystem::path &source,
                         const std::filesystem::path &folder,
                         const std::vector<std::filesystem::path> &added);

}  // namespace cupilot::launcher
