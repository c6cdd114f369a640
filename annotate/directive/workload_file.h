// SPDX-License-Identifier: Apache-2.0
//
// Workloads that do not stand in the source: `<records>/<kernel>/workloads.txt`, which `cupilot capture`
// writes and people may edit. A workload begins with the word `workload` at the start of a line and has the
// clauses that follow `#pragma cupilot`; its other lines are indented. `//` begins a comment.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "annotate/directive/directive.h"

namespace cupilot::directive {

inline constexpr std::string_view kWorkloadFile = "workloads.txt";

/// The workloads of the text, without those that have an error. `path` stands in the diagnostics.
std::vector<WorkloadDirective> read_workloads(std::string_view text, const std::string &path,
                                              std::vector<Diagnostic> &diagnostics);

}  // namespace cupilot::directive
