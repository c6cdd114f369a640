// SPDX-License-Identifier: Apache-2.0
//
// The verbs of `cupilot`. Each verb has its own file, which declares its options and runs it. A verb returns
// its exit code: 0 for success, 1 for failure. Errors are returned to main, which prints them; the exit code
// of a user error is 2.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace CLI {
class App;
}

namespace cupilot::cli {

/// Runs a verb whose options have been read. `rest` are the words after `--`: a compiler command, or a
/// program.
using Run = std::function<Result<int>(const std::vector<std::string> &rest)>;

struct Verb {
  CLI::App *command = nullptr;  ///< owned by the application
  Run run;
};

Verb add_scan(CLI::App &app);
Verb add_explain(CLI::App &app);
Verb add_tune(CLI::App &app);
Verb add_status(CLI::App &app);
Verb add_log(CLI::App &app);
Verb add_show(CLI::App &app);
Verb add_strategies(CLI::App &app);
Verb add_judge(CLI::App &app);
Verb add_check(CLI::App &app);
Verb add_verify(CLI::App &app);
Verb add_emulate(CLI::App &app);
Verb add_capture(CLI::App &app);
Verb add_profile(CLI::App &app);
Verb add_calibrate(CLI::App &app);

}  // namespace cupilot::cli
