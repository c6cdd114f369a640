// SPDX-License-Identifier: Apache-2.0
//
// Visits the tree of a parsed slice and collects what is to be promoted to double, and the reasons against
// it. Names are decided by twin_names.h, reads of bytes by twin_bytes.h.

#pragma once

#include <string>

#include "annotate/rewrite/twin_edits.h"
#include "annotate/spec/kernel_spec.h"

namespace cupilot::rewrite::twin {

/// A variable declared behind the slice that refers to the kernel as the judge's entry does.
inline constexpr const char *kKernel = "cupilot_twin_of_the_kernel";

/// `text` is what was parsed, `error` the first error of Clang inside it or "".
void promote(clang::ASTContext &context, const spec::KernelSpec &spec, const std::string &text,
             const std::string &error, Findings &out);

}  // namespace cupilot::rewrite::twin
