// SPDX-License-Identifier: Apache-2.0
//
// Which strategies of the pool to try on a kernel, best first, and why.
//
// Ranked by the speed-up to be expected of one try:
//   expected = 1 + (gain - 1) * chance / kPriorChance
// `gain` is the geometric mean of the record's own (less outside its class, less for each feature the kernel
// does not show) and of what the history measured, each outcome weighed by its likeness (outcome_tally.h).
// `chance` is the share of tries that came to be timed, from an even start. Failures (build_failed, wrong,
// refused, ...) lower the chance, slower ones the gain. Without history `expected` is the record's gain.
//
// Class and features only rank; the architecture and the precision clause exclude (applicability.h).

#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/strategy.h"
#include "evolution/model/strategy_outcome.h"
#include "evolution/strategy/pool.h"

namespace cupilot {

struct RetrievalQuery {
  std::string roofline_class;      ///< empty: not measured yet, every class counts
  std::set<std::string> features;  ///< kernel_features()
  bool only_rules = false;         ///< strategies `builtin` can realise
  std::string architecture;        ///< "sm_90"; empty: none excludes
  PrecisionKind precision = PrecisionKind::same;
  std::span<const StrategyOutcome> history;  ///< of any kernels and architectures; must outlive the call
  std::string kernel_id;                     ///< outcomes of this very kernel count double
  std::uint64_t seed = 0;                    ///< decides among equals, and what the menu draws
};

struct RetrievedStrategy {
  Strategy strategy;         ///< as the pool has it
  double expected_gain = 1;  ///< of one try
  double chance = 0.5;       ///< that a try comes to be timed
  /// For people and prompts, without names of kernels: "wide-access: 3 wins of 4 on sm_90, median 1.38x".
  std::string why;
};

/// All that nothing excludes, greatest expected gain first; among equals the seed decides, seed 0: the id.
std::vector<RetrievedStrategy> rank_strategies(const StrategyPool &pool, const RetrievalQuery &query);

/// The same as plain strategies, whose `gain` is the expected one.
std::vector<Strategy> retrieve(const StrategyPool &pool, const RetrievalQuery &query);

/// `count` of them that differ: each one taken lowers what is expected of those in conflict with it (to a
/// half) and of those that say the same (by the words they share). The first of `ranked` comes first.
std::vector<RetrievedStrategy> select_strategies(const std::vector<RetrievedStrategy> &ranked,
                                                 std::size_t count);

/// A first population: half of it retrieved, three in ten from the menu of the kernel's roofline class (of
/// the patterns it shows; no history, drawn by the seed in proportion to what they promise, so that other
/// runs try others), the rest brainstormed by a model. What pool and menu cannot give is brainstormed too.
struct FirstPopulation {
  std::vector<RetrievedStrategy> retrieved, menu;
  std::size_t brainstormed = 0;
};
FirstPopulation first_population(const StrategyPool &pool, const RetrievalQuery &query, std::size_t size);

}  // namespace cupilot
