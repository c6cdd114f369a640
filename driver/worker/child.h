// SPDX-License-Identifier: Apache-2.0
//
// The child side: owns the GPU context and runs entries at the parent's order. The only part of the worker in
// whose process a candidate's code runs.

#pragma once

namespace cupilot {

/// Descriptors the parent leaves open for the child.
inline constexpr int kChildChannel = 3, kChildDump = 4;
/// argv[1] of a child process.
inline constexpr const char *kChildVerb = "--serve-one-entry";

/// Runs until the parent closes the channel; the exit code is of no interest.
int child_main();

}  // namespace cupilot
