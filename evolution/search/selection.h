// SPDX-License-Identifier: Apache-2.0
//
// Who goes on: elitism 2 and tournaments of 3 on the lower confidence bound of the speed-up.
// Deterministic given the seed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "evolution/model/strategy.h"
#include "evolution/model/verdict.h"
#include "evolution/search/evaluator.h"

namespace cupilot {

inline constexpr std::size_t kElite = 2, kTournament = 3;

/// Numbers that are the same with every standard library, which distributions are not.
class Draw {
public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  /// 0 .. count-1; `count` > 0
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }

private:
  std::mt19937_64 engine_;
};

/// The speed-up that can be relied on: the lower ends of all timed workloads by their weights, 1 where the
/// variant is not dispatched to. An estimate has no ends and counts as it is. 0: not correct or not timed.
double low_score(const Verdict &verdict);

/// A strategy with the individual that came of it.
struct Member {
  Strategy strategy;
  const Evaluated *made = nullptr;  ///< correct and timed
};
using Population = std::vector<Member>;

/// Best first by low_score, the earlier individual of equals.
bool better(const Member &one, const Member &other);
/// Sorts, and drops members whose individual is there already.
void rank_members(Population &population);

/// The best of three drawn with replacement; `population` is ranked and not empty. Its position.
std::size_t tournament(const Population &population, Draw &draw);

/// At most `size` of them: the elite for sure, the others by tournaments among the rest. Ranked.
Population select_members(Population population, std::size_t size, Draw &draw);

}  // namespace cupilot
