// SPDX-License-Identifier: Apache-2.0
//
// What the workloads of one kernel are for, seen together: which of them the search is shown, which are
// timed, and what each counts.

#pragma once

#include <vector>

#include "annotate/directive/directive.h"

namespace cupilot {

/// Complains where nothing would be left to search with, or to be faster on.
void check_workload_roles(const std::vector<WorkloadDirective> &workloads,
                          std::vector<Diagnostic> &diagnostics);

/// Of `weight(w)`: a number from 0 on. Complains when it is none; 1 without the clause. `value` is what the
/// clause evaluates to.
double resolve_weight(const PlacedText &text, double value, std::vector<Diagnostic> &diagnostics);

}  // namespace cupilot
