// SPDX-License-Identifier: Apache-2.0
//
// Strategy-level crossover (cuPilot, Algorithm 1): two parents' texts become one strategy,
// no code is shown; what in them excludes each other is found here and told. And the comparison's other way:
// both parents' code for the translator.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "evolution/model/strategy.h"
#include "evolution/provider/provider.h"
#include "evolution/search/selection.h"

namespace cupilot {

/// What every strategy of a run was made of, ids of the pool and of the run.
class Lineage {
public:
  void add(const Strategy &strategy) { parents_[strategy.id] = strategy.parents; }
  /// With its own.
  std::set<std::string> names_of(const Strategy &strategy) const;

private:
  std::map<std::string, std::vector<std::string>> parents_;
};

/// In words, in the order of `one`: ids in each other's conflicts, preconditions of which one denies the
/// other.
std::vector<std::string> conflicts_between(const Strategy &one, const Strategy &other,
                                           const Lineage &lineage);

/// The same words but for a "not", or for one pair of opposites ("even" and "odd").
bool contradict(const std::string &one, const std::string &other);

/// Two parents, the better one first.
struct Pair {
  Member first, second;
};
/// Each by a tournament, and never a pair of `crossed` again; those drawn are added to it. Fewer than `count`
/// when there are not as many pairs.
using CrossedPairs = std::set<std::pair<std::string, std::string>>;  ///< ids of individuals
std::vector<Pair> draw_pairs(const Population &population, std::size_t count, CrossedPairs &crossed,
                             Draw &draw);

/// Of parents' code: what the translator is asked to do, and its question with the second parent's code.
Strategy combined_strategy(const Pair &pair);
RoleRequest with_second_code(RoleRequest question, const Member &second);

}  // namespace cupilot
