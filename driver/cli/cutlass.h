// SPDX-License-Identifier: Apache-2.0
//
// `--dialect cute`: variants written in CuTe. A variant includes nothing of its own, so its kernel's file has
// to include CuTe; that way the judge, the record and every later build see the same headers.

#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "driver/cli/project.h"

namespace cupilot::cli {

/// The folder with cute/tensor.hpp: of $CUTLASS_DIR, else of a CUTLASS package of Python.
std::optional<std::filesystem::path> find_cutlass_headers();

/// A user's error for the first kernel whose file does not include CuTe; it says what to add.
Result<void> check_cute(const std::vector<ProjectKernel> &kernels);

}  // namespace cupilot::cli
