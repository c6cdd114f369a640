// SPDX-License-Identifier: Apache-2.0
//
// Puts the pragma into the user's sources, for `cupilot profile --annotate`.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "annotate/spec/definition.h"
#include "annotate/support/result.h"

namespace cupilot::cli::project {

/// A source, as it is and as it would be.
struct SourceEdit {
  std::filesystem::path file;
  std::string before, after;
};

/// One edit for each file: `#pragma cupilot optimize` in a line of its own before each definition, indented
/// like it. An error names a definition that other text stands before on its line.
Result<std::vector<SourceEdit>> add_pragmas(const std::vector<spec::Definition> &definitions);

/// Keeps the permissions of the files, and the links that lead to them. If one cannot be written, those
/// before it are as they were.
Result<void> write_edits(const std::vector<SourceEdit> &edits);

}  // namespace cupilot::cli::project
