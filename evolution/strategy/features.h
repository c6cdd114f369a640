// SPDX-License-Identifier: Apache-2.0
//
// What a kernel looks like, for choosing strategies: a few words read off its slice and signature. They rank
// and never decide: whether a strategy applies is found out by whoever translates it.

#pragma once

#include <set>
#include <string>

#include "annotate/spec/kernel_spec.h"

namespace cupilot {

/// Words: "loop", "shared-memory", "barrier", "shuffle", "atomic", "narrow-elements" (under 16 bytes),
/// "half" (16-bit floating), "one-dimensional" (only the x of thread and block indices), "two-dimensional".
std::set<std::string> kernel_features(const KernelSpec &spec);

}  // namespace cupilot
