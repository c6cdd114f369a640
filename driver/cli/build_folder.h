// SPDX-License-Identifier: Apache-2.0
//
// A user's build folder: what cmake left there for us (compile_commands.json and cupilot/<target>.json),
// checked so that everything after it may rely on it. Trouble here nearly always means "run cmake again", and
// says so.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::cli {

/// A target the project gave to cupilot_tune().
struct TunedTarget {
  std::string name;
  std::vector<std::filesystem::path> sources;  ///< absolute; the CUDA ones with a compile command
  std::filesystem::path records;               ///< the folder `tuned/`; its parent is the record root
  bool accept_estimates = false;               ///< cupilot_tune(... ACCEPT_ESTIMATES)
};

struct BuildFolder {
  std::filesystem::path path;           ///< absolute
  std::filesystem::path source_folder;  ///< the project's top; empty when the cache does not say
  std::vector<TunedTarget> targets;     ///< by name; empty: the project does not call cupilot_tune()
  /// Where tune keeps its state: `<build>/cupilot/run`.
  std::filesystem::path run_folder() const { return path / "cupilot" / "run"; }
};

/// For command lines that name none: this folder, else `build` in it, whichever cmake configured.
std::optional<std::filesystem::path> build_folder_here();

Result<BuildFolder> open_build_folder(const std::filesystem::path &path);

/// For those who only look at what a search left: a build folder that is out of date will do.
Result<BuildFolder> build_folder_as_it_is(const std::filesystem::path &path);

}  // namespace cupilot::cli
