// SPDX-License-Identifier: Apache-2.0
//
// Runs the user's compiler: in place of this process, as a child, or as a child whose output is held back
// until it is known whether its object is used.

#pragma once

#include <string>
#include <vector>

namespace cupilot::launcher {

/// Replaces this process. It returns only when the program cannot be started: then it prints a message and
/// returns the exit code.
int exec_command(const std::vector<std::string> &command);

/// Returns the exit code: 128 + the signal that ended the command. A command for which no process can be made
/// replaces this one.
int run_command(const std::vector<std::string> &command);

struct HeldRun {
  int exit_code = 0;
  bool timed_out = false;  ///< it has been killed, with all that it had started
  /// A signal, or too little memory, disk or processes, ended it: nothing is known about its source.
  bool interrupted = false;
  std::string out, err;
  void release() const;  ///< prints both, each to its own stream
};
/// `seconds`: its time limit; 0: none.
HeldRun run_command_held(const std::vector<std::string> &command, int seconds);

}  // namespace cupilot::launcher
