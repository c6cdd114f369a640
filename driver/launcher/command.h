// SPDX-License-Identifier: Apache-2.0
//
// Recognises the compiler commands that the launcher takes part in: nvcc makes one object from one source.
// Every other command runs unchanged.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/compile_options.h"

namespace cupilot::launcher {

struct CompileJob {
  std::vector<std::string> command;        ///< as given, compiler first
  std::size_t nvcc_at = 0, source_at = 0;  ///< indices into `command`
  std::filesystem::path folder;            ///< working folder
  std::filesystem::path source, object;    ///< absolute
  std::filesystem::path depfile;           ///< absolute; empty when none is asked for
  std::vector<std::string> architectures;
  std::string macros;  ///< hash
  std::vector<std::string> macro_options;
  std::vector<std::filesystem::path> quote_folders, include_folders,
      forced_includes;  ///< absolute, in search order
};

/// Returns nothing for every other command; `why` then has the reason, for people.
std::optional<CompileJob> recognise(const std::vector<std::string> &command, std::string &why);

}  // namespace cupilot::launcher
