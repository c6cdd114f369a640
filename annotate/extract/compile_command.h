// SPDX-License-Identifier: Apache-2.0
//
// One compile command of the user's build, and what is made of it: the options worth keeping for another nvcc
// run, and the command line that makes Clang parse the same file. Knows no Clang class.

#pragma once

#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/compile_options.h"
#include "annotate/support/result.h"

namespace cupilot {

struct CompileEntry {
  CompileCommand command;
  CompileLine line;       ///< of the command alone: what the fingerprint is made of
  CompileLine effective;  ///< with NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS around it
  bool is_cuda = false;
};

/// `argv` as a build system wrote it: launchers before the compiler are left out. Relative paths belong to
/// `folder`. An empty `source` is taken from the command's only input.
Result<CompileEntry> read_compile_command(const std::vector<std::string> &argv, const std::string &folder,
                                          const std::string &source);

/// The toolkit the compiler belongs to: "/usr/local/cuda".
std::string cuda_root(const CompileEntry &entry);

/// For Clang's driver: host side only, the toolkit's own include folders, the shim.
std::vector<std::string> clang_arguments(const CompileEntry &entry, const std::string &shim_path);

/// Folders of `#include "x"` and `#include <x>` that belong to the user, in order.
std::vector<std::string> user_include_folders(const CompileEntry &entry);

}  // namespace cupilot
