// SPDX-License-Identifier: Apache-2.0
//
// Extracts the kernels of a built library as text for stage "screen".

#pragma once

#include <filesystem>
#include <string>

namespace cupilot {

/// Returns the PTX, which the workers' builds leave uncompressed. For a library with machine code only, runs
/// cuobjdump, if it is beside `nvcc` or in PATH. Empty: the code is not available.
std::string device_text(const std::filesystem::path &library, const std::string &nvcc);

}  // namespace cupilot
