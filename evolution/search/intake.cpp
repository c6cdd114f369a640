// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/intake.h"

#include <fmt/format.h>
#include <algorithm>

#include "evolution/store/database.h"

namespace cupilot::search {

void Intake::built(const std::string &candidate, double seconds) {
  with_.progress.candidate_built(kernel_, candidate, seconds);
}

void Intake::waiting(const std::string &message) {
  with_.progress.waiting(kernel_, message);
}

void Intake::verdict(const model::Verdict &verdict) {
  const auto individual = std::ranges::find(batch_.individuals, verdict.candidate, &model::Individual::id);
  if (!problem_ || individual == batch_.individuals.end() || !seen_.insert(verdict.candidate).second) return;
  if (const auto fits = right_kind(verdict); !fits) {
    problem_ = fits;
    return;
  }
  if (const auto added = with_.database.add_verdict(batch_.id, verdict); !added) {
    problem_ = std::unexpected(added.error());
    return;
  }
  taken_(*individual, verdict);
}

/// Bundles are carried between machines; a verdict from the other kind of executor must not be stored under
/// this search's key.
Result<void> Intake::right_kind(const model::Verdict &verdict) const {
  if (verdict.device.name.empty() || verdict.device.emulated == estimates_) return {};
  if (verdict.device.emulated)
    return fail(
        fmt::format("the verdict about '{}' comes from the CPU executor, which only estimates; this search "
                    "needs measurements by a GPU",
                    verdict.candidate));
  return fail(
      fmt::format("the verdict about '{}' comes from {}; this search needs estimates by the CPU executor",
                  verdict.candidate, verdict.device.name));
}

}  // namespace cupilot::search
