// SPDX-License-Identifier: Apache-2.0
//
// Runs a program of the user's with one of our libraries inside: the stand-in CUDA runtime (LD_PRELOAD), or
// one that the CUDA driver loads.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::cli::run {

/// The file of `words[0]`; PATH is searched. `usage`: how the program is given, for the error when it is not.
Result<std::filesystem::path> program_file(const std::vector<std::string> &words, const std::string &usage);

/// A library of ours: the environment variable's, else lib/cupilot/<name> beside our own bin folder, as in
/// builds and installations. `what` and `part` are for the error: "stand-in CUDA runtime", "install ...".
Result<std::filesystem::path> own_library(const char *variable, const std::string &name,
                                          const std::string &what, const std::string &part);
Result<std::filesystem::path> emulated_runtime();

/// For LD_PRELOAD: the library before those that the caller's environment names.
std::string with_preload(const std::filesystem::path &library);

/// Runs the program with our variables in place of the caller's, on our terminal: it receives Ctrl-C itself,
/// we wait for it to end. Gives its exit code, or 128 + the signal that ended it.
Result<int> run_attached(const std::filesystem::path &file, std::vector<std::string> words,
                         const std::map<std::string, std::string> &variables);

}  // namespace cupilot::cli::run
