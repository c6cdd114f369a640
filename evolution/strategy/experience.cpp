// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/experience.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "evolution/strategy/outcome_tally.h"

namespace cupilot::strategy {

std::vector<std::string> experience_of(std::span<const model::StrategyOutcome> history,
                                       const std::string &architecture, const std::set<std::string> &features,
                                       std::size_t most) {
  const auto tallies = tallies_of(history, {.architecture = architecture, .features = features});
  std::vector<std::pair<double, std::string>> lines;  // negative weight and line; the map is sorted by id
  for (const auto &[id, tally] : tallies)
    lines.emplace_back(-(tally.realised + tally.failed),
                       fmt::format("{}: {}", id, tally.words(architecture)));
  std::ranges::stable_sort(lines, {}, &std::pair<double, std::string>::first);
  std::vector<std::string> experience;
  for (std::size_t i = 0; i < std::min(most, lines.size()); ++i)
    experience.push_back(std::move(lines[i].second));
  return experience;
}

}  // namespace cupilot::strategy
