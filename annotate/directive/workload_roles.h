// SPDX-License-Identifier: Apache-2.0
//
// Checks the workloads of one kernel together: which of them the search sees, which are timed, and how much
// each of them weighs.

#pragma once

#include <vector>

#include "annotate/directive/directive.h"

namespace cupilot::directive {

/// Reports an error when no workload would be left for the search, or none whose time counts.
void check_workload_roles(const std::vector<WorkloadDirective> &workloads,
                          std::vector<Diagnostic> &diagnostics);

/// The weight in `weight(w)`, whose expression has the value `value`. Anything but a number from 0 upwards is
/// reported.
double resolve_weight(const PlacedText &text, double value, std::vector<Diagnostic> &diagnostics);

}  // namespace cupilot::directive
