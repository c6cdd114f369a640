// SPDX-License-Identifier: Apache-2.0
//
// The device code inside a built entry.so, taken from the file: whoever has the device never loads the
// library itself.

#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot {

/// The one container ("fat binary") of the library. What does not add up is an error: the file comes from a
/// compiler, but its content from a candidate.
Result<std::vector<std::byte>> device_code_of(const std::filesystem::path &library);
Result<std::vector<std::byte>> device_code_in(std::span<const std::byte> file);

/// A kernel's symbol without what says in which file it was compiled: kernels of anonymous namespaces and
/// static ones carry that, and the same kernel has another one in another entry.
std::string symbol_of_any_file(const std::string &symbol);

}  // namespace cupilot
