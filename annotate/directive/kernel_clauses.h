// SPDX-License-Identifier: Apache-2.0
//
// Turns the clauses of `optimize` into what the judge uses: a precision with its numbers, and assumptions
// about parameters that exist. It also checks that the workloads fulfil the assumptions.

#pragma once

#include <vector>

#include "annotate/directive/expression.h"
#include "annotate/directive/resolve.h"

namespace cupilot::directive {

struct KernelClauses {
  spec::Precision precision;
  std::vector<spec::Assumption> assumptions;
  bool deterministic = false;
};

/// Reports everything that is wrong and leaves it out of the result.
KernelClauses resolve_optimize(const OptimizeDirective &directive, const KernelFacts &kernel,
                               std::vector<Diagnostic> &diagnostics);

/// The values that `set` gives a workload's scalars; those that cannot be evaluated are missing.
Scope values_of(const spec::Workload &workload);

/// Reports every assumption that a workload breaks, with the names of both. `workloads` must have been
/// resolved without an error.
void check_assumptions(const std::vector<spec::Assumption> &assumptions,
                       const std::vector<spec::Workload> &workloads, std::vector<Diagnostic> &diagnostics);

}  // namespace cupilot::directive
