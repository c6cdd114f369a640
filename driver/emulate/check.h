// SPDX-License-Identifier: Apache-2.0
//
// `cupilot-emulate check BUNDLE`: the original alone, executed with all checks on the user's own workloads.
// JSON lines: {"cupilot_check":1,"kernel":..}, then for each case {"case":..,"shrunk":..} and any number of
// {"finding":{..},"case":..}, last {"done":{"cases":N,"findings":M}}, or {"error":".."} where it could not go
// on.

#pragma once

#include <filesystem>

#include "evolution/judge/engine/engine.h"

namespace cupilot {

/// Exit code: 0 nothing found, 1 something, 2 nothing could be run.
int check_bundle(const Engine &engine, const std::filesystem::path &folder);

}  // namespace cupilot
