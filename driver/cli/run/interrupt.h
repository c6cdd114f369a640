// SPDX-License-Identifier: Apache-2.0
//
// Handles Ctrl-C. The first one asks the engine to stop at a point where no work is lost; the second one ends
// the program.

#pragma once

#include <atomic>

namespace cupilot::cli::run {

/// Catches SIGINT, SIGTERM and SIGHUP from now on; the flag is set by the first of them.
const std::atomic<bool> &catch_interrupts();

/// 128 + the number of the signal received, which is the shells' convention; 0 when none was received.
int interrupted_exit_code();

}  // namespace cupilot::cli::run
