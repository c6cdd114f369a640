// SPDX-License-Identifier: Apache-2.0
//
// Prints a stored run as text (readable at 100 columns) and as JSON, for `cupilot log` and `cupilot show`.

#pragma once

#include <string>

#include "driver/cli/history/run_view.h"
#include "driver/cli/report/output.h"

namespace cupilot::cli::history {

std::string log_text(const RunView &run);
report::Json log_json(const RunView &run);

/// A table of the roles and their costs; "" when no model was asked.
std::string role_totals_text(const std::vector<RoleTotal> &totals, const std::string &indent);

/// An individual with the run it belongs to, for its origin and its results. `original`: the kernel's code at
/// the time it was judged; empty when it is no longer available.
struct ShownIndividual {
  const RunView &run;
  const IndividualView &one;
  std::string original;
};
std::string show_text(const ShownIndividual &shown);
report::Json show_json(const ShownIndividual &shown);

/// The text cut to `width` columns; "…" replaces what does not fit.
std::string cut(const std::string &text, std::size_t width);

}  // namespace cupilot::cli::history
