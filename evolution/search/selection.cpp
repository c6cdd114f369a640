// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/selection.h"

#include <algorithm>
#include <cmath>

namespace cupilot::search {
namespace {

double low_speedup(const model::Verdict &verdict) {
  double logs = 0, weights = 0;
  for (const model::Measurement &one : verdict.measurements) {
    if (one.holdout || one.weight <= 0) continue;
    const bool used = verdict.dispatch.empty() ||
                      std::ranges::find(verdict.dispatch, one.workload) != verdict.dispatch.end();
    const double low = used ? one.speedup_low : 1;
    if (low <= 0) return 0;
    logs += one.weight * std::log(low);
    weights += one.weight;
  }
  return weights > 0 ? std::exp(logs / weights) : 0;
}

}  // namespace

double low_score(const model::Verdict &verdict) {
  const double centre = score(verdict);
  return centre > 0 && verdict.estimates.empty() ? low_speedup(verdict) : centre;
}

bool better(const Member &one, const Member &other) {
  const double a = low_score(one.made->verdict), b = low_score(other.made->verdict);
  return a != b ? a > b : one.made->individual.id < other.made->individual.id;
}

void rank_members(Population &population) {
  std::ranges::stable_sort(population, better);
  Population unique;
  for (Member &member : population)
    if (std::ranges::find(unique, member.made, &Member::made) == unique.end())
      unique.push_back(std::move(member));
  population = std::move(unique);
}

std::size_t tournament(const Population &population, Draw &draw) {
  std::size_t best = population.size();
  for (std::size_t i = 0; i < kTournament; ++i) best = std::min(best, draw.below(population.size()));
  return best;
}

Population select_members(Population population, std::size_t size, Draw &draw) {
  rank_members(population);
  if (population.size() <= size) return population;
  const auto elite = population.begin() + static_cast<std::ptrdiff_t>(std::min(kElite, size));
  Population chosen(population.begin(), elite), rest(elite, population.end());
  while (chosen.size() < size) {
    const auto winner = rest.begin() + static_cast<std::ptrdiff_t>(tournament(rest, draw));
    chosen.push_back(std::move(*winner));
    rest.erase(winner);
  }
  std::ranges::stable_sort(chosen, better);
  return chosen;
}

}  // namespace cupilot::search
