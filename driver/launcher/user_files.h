// SPDX-License-Identifier: Apache-2.0
//
// The source and the user's headers below it, found without a preprocessor: every `#include` line is followed
// through the including file's folder, -iquote and -I, whatever #if it stands in. More files than the
// compiler reads, never fewer but for `#include MACRO`; toolkit and -isystem folders are left out.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "driver/launcher/command.h"

namespace cupilot::launcher {

struct UserFile {
  std::filesystem::path path;  ///< absolute
  std::string content;
};

/// The source first. Empty when the source cannot be read.
std::vector<UserFile> read_user_files(const CompileJob &job);

/// `#pragma cupilot`, `_Pragma("cupilot` or CUPILOT_PRAGMA; also where the compiler would not see it.
bool mentions_pragma(std::string_view content);

}  // namespace cupilot::launcher
