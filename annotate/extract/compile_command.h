// SPDX-License-Identifier: Apache-2.0
//
// A compile command of the user's build and what is derived from it: the options to keep for another nvcc
// run, and the command line with which Clang parses the same file. It uses no Clang class.

#pragma once

#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/compile_options.h"
#include "annotate/support/result.h"

namespace cupilot::extract {

struct CompileEntry {
  spec::CompileCommand command;
  CompileLine line;       ///< the command line alone: input of the fingerprint
  CompileLine effective;  ///< the command line with NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS added
  bool is_cuda = false;
};

/// `argv` is the command that a build system wrote; launchers before the compiler are skipped. Relative paths
/// are relative to `folder`. If `source` is empty, it is the command's only input.
Result<CompileEntry> read_compile_command(const std::vector<std::string> &argv, const std::string &folder,
                                          const std::string &source);

/// The root of the CUDA toolkit that the compiler belongs to: "/usr/local/cuda".
std::string cuda_root(const CompileEntry &entry);

/// Arguments for Clang's driver: host side only, with the toolkit's own include folders and the shim.
std::vector<std::string> clang_arguments(const CompileEntry &entry, const std::string &shim_path);

/// The user's folders for `#include "x"` and `#include <x>`, in search order.
std::vector<std::string> user_include_folders(const CompileEntry &entry);

}  // namespace cupilot::extract
