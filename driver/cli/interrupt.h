// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C as a request: the first one asks the engine to stop where nothing is lost, the second one ends the
// program.

#pragma once

#include <atomic>

namespace cupilot::cli {

/// Catches SIGINT, SIGTERM and SIGHUP from now on; the flag is set by the first of them.
const std::atomic<bool> &catch_interrupts();

/// 128 + the signal that came, as shells expect it; 0 when none came.
int interrupted_exit_code();

}  // namespace cupilot::cli
