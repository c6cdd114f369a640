// SPDX-License-Identifier: Apache-2.0
//
// Finds the source and the user's headers that it includes, without a preprocessor. Every `#include` line is
// followed through the including file's folder, -iquote and -I, also where an #if hides it. So more files may
// be found than the compiler reads, but none is missed, except by `#include MACRO`. The folders of the
// toolkit and of -isystem are left out.

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

/// The source comes first. The list is empty when not all can be read: the source or a header is a pipe or a
/// device, or there is more than limits.h allows. The launcher must not touch such a compile.
std::vector<UserFile> read_user_files(const CompileJob &job);

/// Whether the text has `#pragma cupilot`, `_Pragma("cupilot` or CUPILOT_PRAGMA, also where the compiler
/// would not see it.
bool mentions_pragma(std::string_view content);

}  // namespace cupilot::launcher
