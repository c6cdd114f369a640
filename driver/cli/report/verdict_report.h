// SPDX-License-Identifier: Apache-2.0
//
// Prints one verdict as text and as JSON, for `cupilot judge`.

#pragma once

#include <optional>
#include <string>

#include "driver/cli/records/publish.h"
#include "driver/cli/report/output.h"

namespace cupilot::cli::report {

struct VerdictReport {
  std::string kernel, architecture;  ///< empty architecture: rejected before one was needed
  model::Verdict verdict;
  std::optional<records::Publication> publication;
};

std::string verdict_text(const VerdictReport &report);
Json verdict_json(const VerdictReport &report);
/// Printed instead of a verdict: what is wrong with the kernel or its workloads.
Json refusal_json(const std::string &kernel, const Diagnostic &refused);

}  // namespace cupilot::cli::report
