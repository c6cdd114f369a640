// SPDX-License-Identifier: Apache-2.0
//
// Extracts the device code from the file of a built entry.so. The process that uses the device never loads
// the library itself, because that would run the candidate's host code.

#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::judge::launches {

/// Returns the one container ("fat binary") of the library. Anything inconsistent is an error: a compiler
/// wrote the file, but a candidate determined its content.
Result<std::vector<std::byte>> device_code_of(const std::filesystem::path &library);
Result<std::vector<std::byte>> device_code_in(std::span<const std::byte> file);

/// The names of variables with an initial value in the machine code of a container: what a kernel reads as a
/// constant, and could write through a cast.
std::vector<std::string> initialised_variables(std::span<const std::byte> container);

/// Removes from a kernel's symbol the part that depends on the file it was compiled in. Kernels in anonymous
/// namespaces and static kernels have such a part, and it differs between two entries.
std::string symbol_of_any_file(const std::string &symbol);

}  // namespace cupilot::judge::launches
