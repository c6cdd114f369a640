// SPDX-License-Identifier: Apache-2.0
//
// Policy `branches` (PIKE-B, seeds.md 4.5): a few ideas, one branch each; in every phase the best of each
// branch, and only that, is improved by one step. Mending what fails is the workshop's. What was judged
// before (by rules, by an earlier policy) are the first branches, and ideas the rest.

#pragma once

#include <string>
#include <vector>

#include "evolution/role/strategist.h"
#include "evolution/search/policy.h"
#include "evolution/search/population.h"

namespace cupilot {

/// Tries at a branch's first idea before the branch is closed.
inline constexpr int kMostFirstTries = 3;
/// Phases in a row in which no branch gets better before all ends.
inline constexpr int kMostIdlePhases = 3;

struct Branch {
  Strategy strategy;                ///< of the best, aligned; the idea while there is none
  const Evaluated *best = nullptr;  ///< null: nothing of it survived yet
  double predicted = 1, observed = 1;
  int steps = 0, first_tries = 0;
  Experience tried;                 ///< improvements of the best so far
  std::vector<std::string> failed;  ///< tries at the idea
  bool closed = false;
};

class BranchesPolicy final : public Policy {
public:
  Result<void> run(PolicyContext &context) override;
  const std::vector<Branch> &branches() const { return branches_; }

private:
  /// An order and the branch it is for.
  struct Task {
    std::size_t branch;
    WorkOrder order;
  };
  Result<void> open(PolicyContext &context);
  Result<std::vector<Task>> plan(PolicyContext &context);
  /// True: the branch has a new best.
  bool take(Branch &branch, const Strategy &ordered, const Piece &piece);

  std::vector<Branch> branches_;
  StrategyIds ids_;
};

}  // namespace cupilot
