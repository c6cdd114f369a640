// SPDX-License-Identifier: Apache-2.0
//
// The input of every verb: the annotated kernels of a build folder or of files, each with the folder of its
// records. A kernel seen in several translation units is one entry that lists them all.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/definition.h"
#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "driver/cli/project/build_folder.h"

namespace cupilot::cli::project {

struct ProjectRequest {
  /// A build folder, optionally with files of it, or only files; none: the build folder here.
  std::vector<std::string> inputs;
  std::vector<std::string> compiler;  ///< the words after `--`, for files without a build folder
  std::string target;                 ///< only this target; empty: all
  std::string records;                ///< replaces the target's own folder of records; empty: that folder
  int jobs = 0;                       ///< parallel parses; 0: one per core
  /// The others have no twin and no lifted form, which take a parse each; none: all have them.
  std::vector<std::string> kernels;
  bool analyse = true;  ///< false: no kernel has them
  /// Everything that the build folder compiles, in whatever target, and kernels without a directive, too.
  bool every_kernel = false;
};

struct ProjectKernel {
  spec::KernelSpec spec;
  std::string target;                           ///< empty without cupilot_tune()
  std::filesystem::path records;                ///< `tuned/`
  bool accept_estimates = false;                ///< the target's builds use records made from estimates
  std::vector<spec::Fingerprint> fingerprints;  ///< one per translation unit
};

struct Project {
  std::optional<BuildFolder> build;
  std::vector<ProjectKernel> kernels;  ///< sorted by records folder, then in the order found
  std::vector<Diagnostic> diagnostics;
  std::vector<spec::Definition> definitions;  ///< with every_kernel: of all kernels, each once
};

Result<Project> read_project(const ProjectRequest &request);

/// The first input, else the build folder found here, else an error that asks for one.
Result<std::filesystem::path> build_folder_of(const std::vector<std::string> &inputs);

/// Adds a spec to the kernels: a new one, one more translation unit of a known one, or a diagnostic when a
/// different kernel already has its name.
struct RecordPlace {
  std::string target;
  std::filesystem::path records;
  bool accept_estimates = false;
};
void add_kernel(Project &project, spec::KernelSpec spec, const RecordPlace &place);

/// Prints the diagnostics on stderr; returns an error when one of them is an error.
Result<void> report_diagnostics(const Project &project);

/// The kernels with these names in the order of the project; all kernels when `names` is empty. The error for
/// an unknown name suggests similar ones.
Result<std::vector<ProjectKernel>> select_kernels(const Project &project,
                                                  const std::vector<std::string> &names);

/// The words after `--` as a complete command; `nvcc` is added in front when the first word is an option.
std::vector<std::string> compiler_command(std::vector<std::string> words);

}  // namespace cupilot::cli::project
