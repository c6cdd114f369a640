// SPDX-License-Identifier: Apache-2.0
//
// What every verb works on: the annotated kernels of a build folder or of files, each with the folder its
// records live in. A kernel seen in several translation units is one entry that lists them all.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "driver/cli/build_folder.h"

namespace cupilot::cli {

struct ProjectRequest {
  std::vector<std::string> inputs;    ///< a build folder, perhaps with files of it, or only files; none: here
  std::vector<std::string> compiler;  ///< for files alone: the words after `--`
  std::string target;                 ///< only this target; empty: all
  std::string records;                ///< instead of the target's own folder; empty: that one
  int jobs = 0;                       ///< parallel parses; 0: one a core
};

struct ProjectKernel {
  KernelSpec spec;
  std::string target;                     ///< empty without cupilot_tune()
  std::filesystem::path records;          ///< `tuned/`
  bool accept_estimates = false;          ///< the target's builds use records made from estimates
  std::vector<Fingerprint> fingerprints;  ///< one per translation unit
};

struct Project {
  std::optional<BuildFolder> build;
  std::vector<ProjectKernel> kernels;  ///< by records folder, then as found
  std::vector<Diagnostic> diagnostics;
};

Result<Project> read_project(const ProjectRequest &request);

/// The first input, else the build folder that is here, else an error that asks for one.
Result<std::filesystem::path> build_folder_of(const std::vector<std::string> &inputs);

/// Adds a spec to the kernels: a new one, one more translation unit of a known one, or a diagnostic when a
/// different kernel already has its name.
struct RecordPlace {
  std::string target;
  std::filesystem::path records;
  bool accept_estimates = false;
};
void add_kernel(Project &project, KernelSpec spec, const RecordPlace &place);

/// Shows the diagnostics on stderr; an error when there is one among them.
Result<void> report_diagnostics(const Project &project);

/// The kernels with these names in the order of the project, all when `names` is empty; did-you-mean
/// otherwise.
Result<std::vector<ProjectKernel>> select_kernels(const Project &project,
                                                  const std::vector<std::string> &names);

/// The words after `--` as a whole command: `nvcc` is put before words that begin with an option.
std::vector<std::string> compiler_command(std::vector<std::string> words);

}  // namespace cupilot::cli
