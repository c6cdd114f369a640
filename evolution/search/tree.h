// SPDX-License-Identifier: Apache-2.0
//
// The tree of K-Search: an intent (a strategy below something that was realised) is told apart
// from its realisations, so that a good idea is not lost to a bad attempt. What to try next is decided here,
// by rules and not by a model.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evolution/model/strategy.h"
#include "evolution/search/evaluator.h"

namespace cupilot {

inline constexpr int kMostDifficulty = 4;
inline constexpr int kMostFailedRealisations = 5;

struct TreeNode {
  Strategy strategy;                    ///< aligned once it is realised
  std::size_t parent = 0;               ///< index; the root's own is 0
  int depth = 0;                        ///< steps above the original
  double predicted = 1;                 ///< effect promised: speed-up over the parent's solution
  double observed = 0;                  ///< the same as measured; 0: not realised
  double score = 0;                     ///< of the solution, over the original; the root's is 1
  const Evaluated *solution = nullptr;  ///< null for the root: the original
  std::vector<std::string> failures;    ///< how each realisation ended that gave no solution
  bool dropped = false;
  std::vector<std::size_t> children;
};

class StrategyTree {
public:
  static constexpr std::size_t kRoot = 0;
  StrategyTree();

  std::size_t add(std::size_t parent, Strategy strategy);
  const TreeNode &node(std::size_t index) const { return nodes_[index]; }
  std::size_t size() const { return nodes_.size(); }
  bool realised(std::size_t index) const { return index == kRoot || nodes_[index].solution != nullptr; }

  /// The next intent: its parent holds a solution, its difficulty is at most kMostDifficulty; the highest
  /// promise first, then the least difficulty, then the highest rating, then the oldest.
  std::optional<std::size_t> next() const;

  void attach(std::size_t index, const Strategy &aligned, const Evaluated &solution, double score);
  /// The fifth one drops the intent.
  void fail(std::size_t index, std::string reason);
  /// A precondition does not hold: trying again cannot change that.
  void drop(std::size_t index, std::string reason);

  /// Speed-up over the original, should it do what it promises.
  double promise(std::size_t index) const;
  /// 1 to 5: the more steps, the harder; one more where its risk begins with "high".
  int difficulty(std::size_t index) const;
  /// How well the prediction above it was kept: observed over predicted effect of the parent, at most 1.
  double rating(std::size_t index) const;
  /// The realised node with the highest score; the root where nothing is faster.
  std::size_t best() const;

private:
  std::vector<TreeNode> nodes_;
};

}  // namespace cupilot
