// SPDX-License-Identifier: Apache-2.0
//
// The part of the rules that uses Clang. It parses the slice host-only and converts the kernel and the
// functions it calls to the plain tree.

#pragma once

#include "annotate/rewrite/syntax.h"
#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot::rewrite {

Result<Kernel> parse_kernel(const spec::KernelSpec &spec);

}  // namespace cupilot::rewrite
