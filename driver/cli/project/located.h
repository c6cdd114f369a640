// SPDX-License-Identifier: Apache-2.0
//
// Turns an error of the judge about the user's own input (a non-deterministic harness, an original with a
// race) into a diagnostic at the source line of the kernel or workload.

#pragma once

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/diagnostic.h"
#include "annotate/support/result.h"

namespace cupilot::cli::project {

/// For an error that blames the user. The place is that of the workload the message names, else the kernel's.
Diagnostic located(const Error &error, const spec::KernelSpec &spec);

}  // namespace cupilot::cli::project
