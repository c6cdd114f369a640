// SPDX-License-Identifier: Apache-2.0
//
// Ranks the strategies of the pool for a kernel, best first, with a reason for each.
//
// The rank is the expected speed-up of one attempt:
//   expected = 1 + (gain - 1) * chance / kPriorChance
// `gain` is the weighted geometric mean of the strategy's own gain and of the speed-ups in the history. The
// own gain is reduced outside the strategy's class and for each feature that the kernel lacks. Outcomes of
// the history are weighted by similarity (outcome_tally.h). `chance` is the share of attempts that reached
// timing, with one success and one failure as prior. Failures (build_failed, wrong, refused, ...) lower the
// chance; slower outcomes lower the gain. Without history `expected` is the strategy's own (reduced) gain.
//
// Class and features only affect the ranking; the architecture and the precision clause exclude
// (applicability.h).

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

namespace cupilot::strategy {

struct RetrievalQuery {
  std::string roofline_class;      ///< empty: not measured yet, all classes match
  std::set<std::string> features;  ///< kernel_features()
  bool only_rules = false;         ///< only strategies that the provider `builtin` can realise
  std::string architecture;        ///< "sm_90"; empty: no strategy is excluded by architecture
  spec::PrecisionKind precision = spec::PrecisionKind::same;
  std::span<const model::StrategyOutcome>
      history;             ///< of any kernels and architectures; must outlive the call
  std::string kernel_id;   ///< outcomes of this same kernel count double
  std::uint64_t seed = 0;  ///< decides between equal strategies and which ones the menu draws
};

struct RetrievedStrategy {
  model::Strategy strategy;  ///< unchanged from the pool
  double expected_gain = 1;  ///< expected speed-up of one attempt
  double chance = 0.5;       ///< probability that an attempt reaches timing
  /// The reason for people and prompts; it names no kernels: "wide-access: 3 wins of 4 on sm_90, median
  /// 1.38x".
  std::string why;
};

/// All strategies that are not excluded, greatest expected gain first. The seed orders equal ones; with seed
/// 0 the id does.
std::vector<RetrievedStrategy> rank_strategies(const StrategyPool &pool, const RetrievalQuery &query);

/// The same as plain strategies; their `gain` is the expected gain.
std::vector<model::Strategy> retrieve(const StrategyPool &pool, const RetrievalQuery &query);

/// Selects `count` different strategies. Each selected strategy lowers the expected gain of those in conflict
/// with it (by 70 % or more) and of similar ones (by the share of words in common). The first of `ranked` is
/// always selected.
std::vector<RetrievedStrategy> select_strategies(const std::vector<RetrievedStrategy> &ranked,
                                                 std::size_t count);

/// A first population. Half of it is retrieved. Three in ten come from the menu, which is the strategies of
/// the kernel's roofline class whose patterns the kernel shows; the history is ignored, and the seed draws
/// them in proportion to their expected gain, so that different runs try different ones. A model brainstorms
/// the rest, and also what pool and menu could not supply.
struct FirstPopulation {
  std::vector<RetrievedStrategy> retrieved, menu;
  std::size_t brainstormed = 0;
};
FirstPopulation first_population(const StrategyPool &pool, const RetrievalQuery &query, std::size_t size);

}  // namespace cupilot::strategy
