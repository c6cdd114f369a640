// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a built library as text, for the judge's screen.

#pragma once

#include <filesystem>
#include <string>

namespace cupilot {

/// PTX, which the worker's builds leave uncompressed; a build for machine code only is asked of cuobjdump,
/// where there is one beside `nvcc` or in PATH. Empty: no way to see it.
std::string device_text(const std::filesystem::path &library, const std::string &nvcc);

}  // namespace cupilot
