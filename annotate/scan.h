// SPDX-License-Identifier: Apache-2.0
//
// The verbs of cupilot-annotate that read source. `scan` prints specs and diagnostics as JSON lines;
// `identify` prints kernel ids as plain lines, for the launcher. Both write to stdout and return the exit
// code.

#pragma once

#include "annotate/arguments.h"

namespace cupilot {

Result<int> scan(const CommandLine &arguments);
Result<int> identify(const CommandLine &arguments);

}  // namespace cupilot
