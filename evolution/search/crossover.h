// SPDX-License-Identifier: Apache-2.0
//
// Strategy-level crossover (cuPilot, arXiv 2512.16465, Algorithm 1). The strategist merges the strategy texts
// of two parents into one strategy and sees no code. Conflicts between the two texts are detected here and
// named in the question. For comparison there is also a crossover of code, in which the translator sees the
// code of both parents.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "evolution/model/strategy.h"
#include "evolution/provider/provider.h"
#include "evolution/search/selection.h"

namespace cupilot::search {

/// Records the parents of each strategy of a run, as ids of the pool and of the run.
class Lineage {
public:
  void add(const model::Strategy &strategy) { parents_[strategy.id] = strategy.parents; }
  /// The ids of the strategy and of all its ancestors.
  std::set<std::string> names_of(const model::Strategy &strategy) const;

private:
  std::map<std::string, std::vector<std::string>> parents_;
};

/// The conflicts as text, in the order of `one`: ids that are listed as conflicts of the other strategy, and
/// preconditions of which one negates the other.
std::vector<std::string> conflicts_between(const model::Strategy &one, const model::Strategy &other,
                                           const Lineage &lineage);

/// True if both texts have the same words except for a "not" or for one pair of opposites ("even" and "odd").
bool contradict(const std::string &one, const std::string &other);

/// Two parents, the better one first.
struct Pair {
  Member first, second;
};
/// Draws pairs by tournaments. A pair that is in `crossed` is not drawn again, and drawn pairs are added to
/// it. Returns fewer than `count` pairs when there are not enough.
using CrossedPairs = std::set<std::pair<std::string, std::string>>;  ///< ids of individuals
std::vector<Pair> draw_pairs(const Population &population, std::size_t count, CrossedPairs &crossed,
                             Draw &draw);

/// For crossover of code: the strategy that tells the translator to combine the parents, and the translator's
/// question with the second parent's code added.
model::Strategy combined_strategy(const Pair &pair);
provider::RoleRequest with_second_code(provider::RoleRequest question, const Member &second);

}  // namespace cupilot::search
