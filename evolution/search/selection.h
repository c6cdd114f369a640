// SPDX-License-Identifier: Apache-2.0
//
// Selection of a population: elitism of 2, and tournaments of 3 on the lower confidence bound of the
// speed-up. Deterministic given the seed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "evolution/model/strategy.h"
#include "evolution/model/verdict.h"
#include "evolution/search/evaluator.h"

namespace cupilot::search {

inline constexpr std::size_t kElite = 2, kTournament = 3;

/// Random numbers that are the same with every standard library; the standard's distributions are not.
class Draw {
public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  /// 0 .. count-1; `count` > 0
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }

private:
  std::mt19937_64 engine_;
};

/// The lower confidence bound of the speed-up: the weighted geometric mean of the lower bounds of all timed
/// workloads, with 1 for a workload on which the variant is not used. An estimate has no bounds and counts as
/// it is. 0 if not correct or not timed.
double low_score(const model::Verdict &verdict);

/// A strategy and the individual made from it.
struct Member {
  model::Strategy strategy;
  const Evaluated *made = nullptr;  ///< correct and timed
};
using Population = std::vector<Member>;

/// True if `one` ranks before `other`: higher low_score first, then the earlier individual.
bool better(const Member &one, const Member &other);
/// Sorts the population and removes members whose individual occurs already.
void rank_members(Population &population);

/// The position of the best of three members drawn with replacement. `population` must be ranked and not
/// empty.
std::size_t tournament(const Population &population, Draw &draw);

/// At most `size` members: the elite always, the others by tournaments among the rest. The result is ranked.
Population select_members(Population population, std::size_t size, Draw &draw);

}  // namespace cupilot::search
