// SPDX-License-Identifier: Apache-2.0
//
// What `cupilot tune` says at the end: a table over all kernels, what was tried and why it lost, the same as
// JSON.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/output.h"
#include "driver/cli/publish.h"
#include "driver/cli/run_view.h"
#include "evolution/search/tune.h"

namespace cupilot::cli {

/// One kernel's tuning, however it ended.
struct TuneEntry {
  ProjectKernel kernel;
  std::string architecture;
  std::optional<TuneOutcome> outcome;
  std::optional<Publication> publication;
  std::vector<RoleTotal> roles;               ///< what models cost, over all starts of this run
  std::map<std::string, std::string> titles;  ///< of strategies made in the run, by id: "s0007" says nothing
  /// The user's harness or kernel is no base to judge on; `error` says it too.
  std::optional<Diagnostic> refused;
  std::string error;  ///< why there is no outcome, or why the winner could not be published
  /// "published", "unchanged", "kept_better", "faster" (not published), "nothing_faster", "interrupted",
  /// "failed".
  std::string result() const;
};

std::string summary_text(const std::vector<TuneEntry> &entries);
Json summary_json(const std::vector<TuneEntry> &entries, bool interrupted);

}  // namespace cupilot::cli
