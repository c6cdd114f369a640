// SPDX-License-Identifier: Apache-2.0
//
// A workload as written -> a workload the judge can run: every name is known, every size is a number that
// makes sense, every parameter is covered. Names no Clang type; what it must know of the kernel comes as
// data.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "annotate/directive/directive.h"

namespace cupilot {

struct KernelFacts {
  std::string name;
  std::vector<Parameter> parameters;
  std::string source_folder;          ///< where relative file("x.npy") are looked up
  std::optional<LaunchShape> launch;  ///< read off the source
  std::string no_launch_reason;       ///< why `launch` is empty: "no launch of it was found"
};

/// Complains about everything wrong; the workload is only of use when it did not.
Workload resolve_workload(const WorkloadDirective &directive, const KernelFacts &kernel,
                          std::vector<Diagnostic> &diagnostics);

/// Gives workloads without a name one ("w1", "w2", ...) and complains about names used twice.
void name_workloads(std::vector<Workload> &workloads, std::vector<Diagnostic> &diagnostics);

}  // namespace cupilot
