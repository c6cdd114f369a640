// SPDX-License-Identifier: Apache-2.0
//
// Finds the kernel that each directive belongs to: the next declaration after it in the same file. If that is
// not a kernel, it is an error, so that a directive never applies to a kernel its author did not mean.

#pragma once

#include <vector>

#include "annotate/directive/directive.h"
#include "annotate/extract/chunks.h"

namespace cupilot::extract {

struct AnnotatedKernel {
  FunctionPlace place;
  directive::OptimizeDirective optimize;
  std::vector<directive::WorkloadDirective> workloads;
  bool broken = false;  ///< one of its directives has an error, which is already reported
};

std::vector<AnnotatedKernel> attach_directives(const ParsedUnit &unit,
                                               const std::vector<FunctionPlace> &functions,
                                               std::vector<Diagnostic> &diagnostics);

}  // namespace cupilot::extract
