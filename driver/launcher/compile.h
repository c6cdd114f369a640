// SPDX-License-Identifier: Apache-2.0
//
// Running the user's compiler: in its place, as a child, or as a child whose talk is held back until it is
// known whether its result counts.

#pragma once

#include <string>
#include <vector>

namespace cupilot::launcher {

/// Replaces this process. Returns only when the program cannot be started: the exit code then, after a
/// message.
int exec_command(const std::vector<std::string> &command);

/// Exit code; 128 + signal when it was ended by one, 127 when it cannot be started.
int run_command(const std::vector<std::string> &command);

struct HeldRun {
  int exit_code = 0;
  std::string out, err;
  void release() const;  ///< prints both to where they belong
};
HeldRun run_command_held(const std::vector<std::string> &command);

}  // namespace cupilot::launcher
