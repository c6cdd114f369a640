// SPDX-License-Identifier: Apache-2.0
//
// Reads a user's build folder: compile_commands.json and cupilot/<target>.json, which cmake wrote. The files
// are checked here, so later code may rely on them. Most errors mean that cmake has to run again, and their
// messages say so. A folder with compile_commands.json alone is a project that is built by other means: all
// of its CUDA sources are one target, and its records are in the folder's `tuned/`.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::cli::project {

/// A target the project gave to cupilot_tune().
struct TunedTarget {
  std::string name;
  /// Absolute paths of the CUDA sources that have a compile command.
  std::vector<std::filesystem::path> sources;
  std::filesystem::path records;  ///< the folder `tuned/`; its parent is the record root
  bool accept_estimates = false;  ///< cupilot_tune(... ACCEPT_ESTIMATES)
};

struct BuildFolder {
  std::filesystem::path path;  ///< absolute
  /// The project's top folder; empty when CMakeCache.txt does not name it.
  std::filesystem::path source_folder;
  std::vector<TunedTarget> targets;  ///< sorted by name; empty: the project does not call cupilot_tune()
  bool without_cmake = false;
  /// Where tune keeps its state: `<build>/cupilot/run`.
  std::filesystem::path run_folder() const { return path / "cupilot" / "run"; }
};

/// The build folder for command lines that name none: the current folder if cmake configured it, else its
/// subfolder `build`, else the current folder if it has a compile_commands.json.
std::optional<std::filesystem::path> build_folder_here();

Result<BuildFolder> open_build_folder(const std::filesystem::path &path);

/// Opens a build folder without checking that it is up to date; enough for verbs that only read the results
/// of a search.
Result<BuildFolder> build_folder_as_it_is(const std::filesystem::path &path);

}  // namespace cupilot::cli::project
