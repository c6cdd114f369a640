// SPDX-License-Identifier: Apache-2.0
//
// The clauses of `optimize` as the judge uses them: precision with its numbers, assumptions over parameters
// that exist, and whether the workloads keep what is assumed.

#pragma once

#include <vector>

#include "annotate/directive/resolve.h"

namespace cupilot {

struct KernelClauses {
  Precision precision;
  std::vector<Assumption> assumptions;
  bool deterministic = false;
};

/// Complains about everything wrong; what is wrong is left out.
KernelClauses resolve_optimize(const OptimizeDirective &directive, const KernelFacts &kernel,
                               std::vector<Diagnostic> &diagnostics);

/// An assumption that a workload breaks is an error that names both. Workloads are those resolve_workload
/// found in order.
void check_assumptions(const std::vector<Assumption> &assumptions, const std::vector<Workload> &workloads,
                       std::vector<Diagnostic> &diagnostics);

}  // namespace cupilot
