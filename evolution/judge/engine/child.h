// SPDX-License-Identifier: Apache-2.0
//
// The child's side of the engine: it owns the device and runs entries when the parent orders it. Only the
// kernels of a candidate are loaded here; its host side runs in cupilot-launches.

#pragma once

#include "evolution/judge/engine/engine.h"

namespace cupilot::judge::engine {

/// Descriptors that the parent leaves open for the child.
inline constexpr int kChildChannel = 3, kChildDump = 4;
/// First of the sockets to cupilot-launches; there is one process and one socket for each EntryRole.
inline constexpr int kChildRecorders = 5;
/// argv[1] of a child process; argv[2] is the bundle's architecture.
inline constexpr const char *kChildVerb = "--serve-one-entry";

/// Runs until the parent closes the channel. The exit code is not used.
int child_main(const Engine &engine, const std::string &architecture);

}  // namespace cupilot::judge::engine
