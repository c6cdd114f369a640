// SPDX-License-Identifier: Apache-2.0
//
// `cupilot capture` without a GPU: the emulated device tells the watcher (evolution/capture/watcher.h) of
// each launch, and of the watched ones every access to memory.

#pragma once

namespace cupilot::emulate::watch {

/// If the environment asks for it, the device that the process will make is watched. May be called before any
/// constructor of the program has run.
void watch_launches();

}  // namespace cupilot::emulate::watch
