// SPDX-License-Identifier: Apache-2.0
//
// A run for people (readable at 100 columns) and as JSON: what `cupilot log` and `cupilot show` print.

#pragma once

#include <string>

#include "driver/cli/output.h"
#include "driver/cli/run_view.h"

namespace cupilot::cli {

std::string log_text(const RunView &run);
Json log_json(const RunView &run);

/// One table of roles with what they cost; "" where no model was asked.
std::string role_totals_text(const std::vector<RoleTotal> &totals, const std::string &indent);
Json json_of(const RoleTotal &total);

/// What an individual came of and came to. `original`: the kernel's code as it was judged against; empty
/// where it is not there any more.
struct ShownIndividual {
  const RunView &run;
  const IndividualView &one;
  std::string original;
};
std::string show_text(const ShownIndividual &shown);
Json show_json(const ShownIndividual &shown);

/// "…" for what does not fit into `width` columns.
std::string cut(const std::string &text, std::size_t width);

}  // namespace cupilot::cli
