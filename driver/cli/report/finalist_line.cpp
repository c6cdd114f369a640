// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report/finalist_line.h"

#include "annotate/support/text.h"

namespace cupilot::cli::report {
namespace {

using Outcome = model::FinalistCheck::Outcome;

/// Longer details are for the table of `cupilot judge` and for JSON.
constexpr std::size_t kShortDetail = 28;

bool says_figures(const model::FinalistCheck &check) {
  const bool figures = check.name.ends_with(" repeats") || check.name.starts_with("hold-out ");
  return figures && check.detail.size() <= kShortDetail;
}

}  // namespace

std::string finalist_line(const std::vector<model::FinalistCheck> &checks) {
  std::vector<std::string> fine, figures, skipped, parts;
  for (const model::FinalistCheck &check : checks) {
    if (check.outcome == Outcome::failed)
      parts.push_back(check.name + " failed");
    else if (check.outcome == Outcome::not_run)
      skipped.push_back(check.name);
    else if (says_figures(check))
      figures.push_back(check.name + " " + check.detail);
    else
      fine.push_back(check.name);
  }
  if (!fine.empty()) parts.push_back(join(fine, ", ") + " ok");
  parts.insert(parts.end(), figures.begin(), figures.end());
  if (!skipped.empty()) parts.push_back("not run: " + join(skipped, ", "));
  return parts.empty() ? "" : "finalist: " + join(parts, "; ");
}

}  // namespace cupilot::cli::report
