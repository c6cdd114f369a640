// SPDX-License-Identifier: Apache-2.0
//
// Which kernel a directive belongs to: the next declaration after it in the same file. Anything else there is
// an error, so that a directive never lands on a kernel its writer did not mean.

#pragma once

#include <vector>

#include "annotate/directive/directive.h"
#include "annotate/extract/chunks.h"

namespace cupilot {

struct AnnotatedKernel {
  FunctionPlace place;
  OptimizeDirective optimize;
  std::vector<WorkloadDirective> workloads;
  bool broken = false;  ///< a directive of it has an error that is already reported
};

std::vector<AnnotatedKernel> attach_directives(const ParsedUnit &unit,
                                               const std::vector<FunctionPlace> &functions,
                                               std::vector<Diagnostic> &diagnostics);

}  // namespace cupilot
