// SPDX-License-Identifier: Apache-2.0
//
// The starting points of a population: strategies from the pool, the history and the strategist, individuals
// that were judged before, and the short-term history of this run.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evolution/role/strategist.h"
#include "evolution/search/policy.h"
#include "evolution/search/selection.h"

namespace cupilot::search {

/// The most recent lines that are kept, so that a prompt stays readable.
inline constexpr std::size_t kMostRemembered = 32;

/// The short-term history of a run (cuPilot, arXiv 2512.16465, Algorithm 1): the effect of each strategy that
/// was tried, failures above all.
class ShortHistory {
public:
  void add(const Piece &piece, const Evaluated *base);
  void add(const std::string &line);
  /// The lines of earlier runs, then those of this run in order of time.
  role::Experience after(role::Experience earlier) const;

private:
  std::vector<std::string> lines_;
};

/// "wide access: predicted 1.40x, observed 1.12x"
std::string describe_effect(const model::Strategy &strategy, double predicted, double observed);

/// Gives out the ids "s0001", "s0002", ... `used` is the number of ids that are taken already.
class StrategyIds {
public:
  explicit StrategyIds(std::string prefix = "s", std::size_t used = 0)
      : prefix_(std::move(prefix)), count_(used) {}
  std::string next();

private:
  std::string prefix_;
  std::size_t count_;
};
/// The highest number with this prefix among the individuals judged so far. A policy that runs after another
/// one, or a second time, continues from it.
std::size_t ids_used(const Evaluator &evaluator, const std::string &prefix);

/// `count` strategies for a population. The strategist makes them: half from retrieved strategies, three in
/// ten from the menu of the roofline class, the rest its own ideas. Where it gives none or too few, the
/// retrieved strategies are taken unchanged. `remembered` is the history of this run.
Result<std::vector<model::Strategy>> first_strategies(PolicyContext &context, const role::Analysis &analysis,
                                                      const ShortHistory &remembered, std::size_t count,
                                                      StrategyIds &ids);

/// The best individuals that were found earlier (by the rules or by an earlier policy): at most `count`, one
/// for each set of strategies, with the strategy texts of the pool.
Population judged_before(const PolicyContext &context, std::size_t count);

/// The strategy to write the original as a variant without optimisation. It serves for the first measurement
/// of how the kernel runs (cuPilot's kernel generator).
model::Strategy plain_strategy(StrategyIds &ids);

}  // namespace cupilot::search
