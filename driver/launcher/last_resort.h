// SPDX-License-Identifier: Apache-2.0
//
// What remains when this program itself fails: a crash, an abort, an overflowing stack or work that does not
// end runs the user's command in place of this process. Exceptions are not its affair: main() catches them.

#pragma once

namespace cupilot::launcher {

/// `command` is part of argv, ends with a null pointer and is used as it is: no memory is needed to run it.
void guard_by(char **command);

/// Ends our work after `seconds`, counted anew by every call; 0 while a compiler runs, which may take its
/// time.
void limit_work(int seconds);

/// The handlers and the time limit are off afterwards: for the moment before the command replaces this
/// process.
void drop_guard();

/// Replaces this process by the guarded command, after one line about `why`. Without a command it ends
/// with 1.
[[noreturn]] void run_guarded(const char *why);

}  // namespace cupilot::launcher
