// SPDX-License-Identifier: Apache-2.0
//
// Which compiler commands the launcher takes part in: nvcc making one object from one source. Everything else
// is the user's own business and runs unchanged.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/compile_options.h"

namespace cupilot::launcher {

struct CompileJob {
  std::vector<std::string> command;        ///< as given, compiler first
  std::size_t nvcc_at = 0, source_at = 0;  ///< places in `command`
  std::filesystem::path folder;            ///< working folder
  std::filesystem::path source, object;    ///< absolute
  std::filesystem::path depfile;           ///< absolute; empty when none is asked for
  std::vector<std::string> architectures;
  std::string macros;  ///< hash
  std::vector<std::filesystem::path> quote_folders, include_folders,
      forced_includes;  ///< absolute, in search order
};

/// Nothing when the command is not one of ours; `why` then says the reason for people.
std::optional<CompileJob> recognise(const std::vector<std::string> &command, std::string &why);

}  // namespace cupilot::launcher
