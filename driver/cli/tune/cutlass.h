// SPDX-License-Identifier: Apache-2.0
//
// `--dialect cute`: variants written in CuTe. A variant has no #include lines, so the kernel's own file has
// to include CuTe. That way the judge, the record and every later build use the same headers.

#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "driver/cli/project/project.h"

namespace cupilot::cli::tune {

/// The folder that contains cute/tensor.hpp: from $CUTLASS_DIR, else from an installed Python package of
/// CUTLASS.
std::optional<std::filesystem::path> find_cutlass_headers();

/// Returns a user error for the first kernel whose file does not include CuTe; the message says what to add.
Result<void> check_cute(const std::vector<project::ProjectKernel> &kernels);

}  // namespace cupilot::cli::tune
