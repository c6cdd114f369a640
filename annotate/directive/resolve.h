// SPDX-License-Identifier: Apache-2.0
//
// Turns a workload as it is written into one that the judge can run: every name is known, every size is a
// number that makes sense, and every parameter has a value. It names no Clang type; the facts about the
// kernel are passed as data.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "annotate/directive/directive.h"

namespace cupilot::directive {

struct KernelFacts {
  std::string name;
  std::vector<spec::Parameter> parameters;
  std::string source_folder;                ///< relative paths in file("x.npy") start here
  std::optional<spec::LaunchShape> launch;  ///< as the source launches the kernel
  std::string no_launch_reason;             ///< why `launch` is empty: "no launch of it was found"
};

/// Reports everything that is wrong. The workload may only be used when nothing was.
spec::Workload resolve_workload(const WorkloadDirective &directive, const KernelFacts &kernel,
                                std::vector<Diagnostic> &diagnostics);

/// Gives every workload without a name one ("w1", "w2", ...) and reports names that are used twice.
void name_workloads(std::vector<spec::Workload> &workloads, std::vector<Diagnostic> &diagnostics);

}  // namespace cupilot::directive
