// SPDX-License-Identifier: Apache-2.0
//
// Files of the launcher's cache: made again whenever they are missing, so they are renamed into place but not
// synced, and left untouched when they already say the same: their time is what builds look at.

#pragma once

#include <filesystem>
#include <string_view>

#include "annotate/support/result.h"

namespace cupilot::launcher {

Result<void> write_cache_file(const std::filesystem::path &path, std::string_view content);

}  // namespace cupilot::launcher
