// SPDX-License-Identifier: Apache-2.0
//
// Prints the summary at the end of `cupilot tune`, as text and as JSON: a table of all kernels, what was
// tried, and why it was not better.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/history/run_view.h"
#include "driver/cli/records/publish.h"
#include "driver/cli/report/output.h"
#include "evolution/search/tune.h"

namespace cupilot::cli::tune {

/// The result of tuning one kernel, also when it failed.
struct TuneEntry {
  project::ProjectKernel kernel;
  std::string architecture;
  std::optional<search::TuneOutcome> outcome;
  std::optional<records::Publication> publication;
  std::vector<history::RoleTotal> roles;      ///< the models' costs over all starts of this run
  std::map<std::string, std::string> titles;  ///< titles of strategies made in the run, by id ("s0007")
  /// Set when the user's harness or kernel cannot be used as a reference; `error` has the same message.
  std::optional<Diagnostic> refused;
  std::string error;  ///< why there is no outcome, or why the winner could not be published
  /// "published", "unchanged", "kept_better", "faster" (not published), "nothing_faster", "interrupted",
  /// "failed".
  std::string result() const;
};

std::string summary_text(const std::vector<TuneEntry> &entries);
report::Json summary_json(const std::vector<TuneEntry> &entries, bool interrupted);

}  // namespace cupilot::cli::tune
