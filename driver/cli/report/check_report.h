// SPDX-License-Identifier: Apache-2.0
//
// Prints the findings of `cupilot check` as text in the style of compilers, as JSON and as SARIF 2.1.0.

#pragma once

#include <string>
#include <vector>

#include "driver/cli/report/output.h"
#include "driver/cli/run/check_run.h"

namespace cupilot::cli::report {

/// "norm.cu:12:7: error: shared-race: ...", the line and a caret, and a note for the other access of a race.
std::string check_text(const std::vector<run::CheckedKernel> &kernels);
Json check_json(const std::vector<run::CheckedKernel> &kernels);
/// Paths below `root` are written relative to it.
std::string check_sarif(const std::vector<run::CheckedKernel> &kernels, const std::filesystem::path &root);

}  // namespace cupilot::cli::report
