// SPDX-License-Identifier: Apache-2.0
//
// The child side: owns the device and runs entries at the parent's order. Of a candidate only kernels come
// here; its host side runs in cupilot-launches.

#pragma once

#include "evolution/judge/engine/engine.h"

namespace cupilot {

/// Descriptors the parent leaves open for the child.
inline constexpr int kChildChannel = 3, kChildDump = 4;
/// Sockets to one cupilot-launches for each EntryRole, from here on.
inline constexpr int kChildRecorders = 5;
/// argv[1] of a child process; argv[2] is the bundle's architecture.
inline constexpr const char *kChildVerb = "--serve-one-entry";

/// Runs until the parent closes the channel; the exit code is of no interest.
int child_main(const Engine &engine, const std::string &architecture);

}  // namespace cupilot
