// SPDX-License-Identifier: Apache-2.0
//
// What the judge says against the user's own input (a harness that is not deterministic, an original that
// races), at the place of the kernel or workload it is about.

#pragma once

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/diagnostic.h"
#include "annotate/support/result.h"

namespace cupilot::cli {

/// Of an error that blames the user. The workload it names is its place, else the kernel.
Diagnostic located(const Error &error, const KernelSpec &spec);

}  // namespace cupilot::cli
