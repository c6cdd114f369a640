// SPDX-License-Identifier: Apache-2.0
//
// `cupilot-emulate check BUNDLE`: executes the original alone on the user's own workloads, with all checks.
// JSON lines: {"cupilot_check":1,"kernel":..}, then for each case {"case":..,"shrunk":..} and any number of
// {"finding":{..},"case":..}, last {"done":{"cases":N,"findings":M}}, or {"error":".."} if it could not
// continue.

#pragma once

#include <filesystem>

#include "evolution/judge/engine/engine.h"

namespace cupilot::driver::emulate {

/// Returns the exit code: 0 nothing found, 1 findings, 2 it could not run.
int check_bundle(const judge::engine::Engine &engine, const std::filesystem::path &folder);

}  // namespace cupilot::driver::emulate
