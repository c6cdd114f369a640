// SPDX-License-Identifier: Apache-2.0
//
// Policy `tree` (K-Search, seeds.md 4.2): the strategist proposes intents with the effect they promise; the
// most promising is worked on until it is realised or has failed five times; below what was realised the
// strategist, told what was predicted and what came, proposes at most three more. The best of what was judged
// before (by rules, by an earlier policy) stand in the tree from the start.

#pragma once

#include "evolution/search/policy.h"
#include "evolution/search/population.h"
#include "evolution/search/tree.h"

namespace cupilot {

inline constexpr std::size_t kMostChildren = 3;

class TreePolicy final : public Policy {
public:
  Result<void> run(PolicyContext &context) override;
  const StrategyTree &tree() const { return tree_; }

private:
  Result<void> plant(PolicyContext &context);
  Result<void> work_on(PolicyContext &context, std::size_t index);
  /// How many children came of it.
  Result<std::size_t> extend(PolicyContext &context, std::size_t index);
  /// Nothing is open any more: more below the best. False: that led nowhere twice, or nobody answers.
  Result<bool> reopen(PolicyContext &context);

  StrategyTree tree_;
  StrategyIds ids_;
  int round_ = 0, dry_ = 0;
  double best_at_reopening_ = 0;
};

}  // namespace cupilot
