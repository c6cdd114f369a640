// SPDX-License-Identifier: Apache-2.0
//
// Writes the files of the launcher's cache. A missing file is simply made again, so files are renamed into
// place but not synced. A file that already has the content stays untouched, because builds look at its time.

#pragma once

#include <filesystem>
#include <string_view>

#include "annotate/support/result.h"

namespace cupilot::launcher {

Result<void> write_cache_file(const std::filesystem::path &path, std::string_view content);

/// Whether there is a regular file of this name itself, not through a link: one that may be replaced or
/// removed.
bool is_regular(const std::filesystem::path &path);

}  // namespace cupilot::launcher
