// SPDX-License-Identifier: Apache-2.0
//
// Finds the other programs of cupilot: by an environment variable, beside the running program, or in PATH.

#pragma once

#include <filesystem>
#include <string>

#include "annotate/support/result.h"

namespace cupilot::cli::project {

/// `CUPILOT_ANNOTATE`, else cupilot-annotate beside us, else in PATH.
Result<std::filesystem::path> find_annotate();
/// `CUPILOT_WORKER`, else cupilot-worker beside us, else in PATH.
Result<std::filesystem::path> find_worker();
/// `CUPILOT_EMULATE_PROGRAM`, else cupilot-emulate beside us, else in PATH.
Result<std::filesystem::path> find_emulate();

/// `CUPILOT_CC`, else cupilot-cc beside us, else in PATH.
Result<std::filesystem::path> find_launcher();

}  // namespace cupilot::cli::project
