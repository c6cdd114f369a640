// SPDX-License-Identifier: Apache-2.0
//
// What a population starts from: strategies of pool, history and strategist; individuals judged before; and
// what this run remembers of everything it tried.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evolution/role/strategist.h"
#include "evolution/search/policy.h"
#include "evolution/search/selection.h"

namespace cupilot {

/// Lines remembered, the latest: a prompt must stay readable.
inline constexpr std::size_t kMostRemembered = 32;

/// The short-term history of a run (cuPilot, Algorithm 1): what each strategy gave, failures above all.
class ShortHistory {
public:
  void add(const Piece &piece, const Evaluated *base);
  void add(const std::string &line);
  /// Earlier runs' first, then this one's in the order it happened.
  Experience after(Experience earlier) const;

private:
  std::vector<std::string> lines_;
};

/// "wide access: predicted 1.40x, observed 1.12x"
std::string describe_effect(const Strategy &strategy, double predicted, double observed);

/// "s0001", "s0002", ...; `used`: numbers taken already.
class StrategyIds {
public:
  explicit StrategyIds(std::string prefix = "s", std::size_t used = 0)
      : prefix_(std::move(prefix)), count_(used) {}
  std::string next();

private:
  std::string prefix_;
  std::size_t count_;
};
/// The highest number with this prefix that anything judged so far carries: where a policy goes on that runs
/// after another one, or a second time.
std::size_t ids_used(const Evaluator &evaluator, const std::string &prefix);

/// `count` strategies for a population: the strategist's, made of half retrieved ones, three in ten of the
/// class's menu and his own; where he gives none or too few, the retrieved ones as they stand. `remembered`
/// is this run's.
Result<std::vector<Strategy>> first_strategies(PolicyContext &context, const Analysis &analysis,
                                               const ShortHistory &remembered, std::size_t count,
                                               StrategyIds &ids);

/// The best individuals others found before (rules, an earlier policy), at most `count`, each set of
/// strategies once; their strategies in the pool's words.
Population judged_before(const PolicyContext &context, std::size_t count);

/// The original as a variant, for the first look at how it runs (cuPilot's kernel generator).
Strategy plain_strategy(StrategyIds &ids);

}  // namespace cupilot
