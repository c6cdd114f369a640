// SPDX-License-Identifier: Apache-2.0
//
// The tree of K-Search (arXiv 2602.19128). It separates an intent (a strategy below a realised node) from its
// realisations, so that one bad attempt does not discard a good idea. Rules, not a model, decide what to try
// next.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evolution/model/strategy.h"
#include "evolution/search/evaluator.h"

namespace cupilot::search {

inline constexpr int kMostDifficulty = 4;
inline constexpr int kMostFailedRealisations = 5;

struct TreeNode {
  model::Strategy strategy;             ///< aligned to the code after it is realised
  std::size_t parent = 0;               ///< index of the parent; 0 for the root
  int depth = 0;                        ///< steps above the original
  double predicted = 1;                 ///< predicted speed-up over the parent's solution
  double observed = 0;                  ///< measured speed-up over the parent's solution; 0: not realised
  double score = 0;                     ///< speed-up of the solution over the original; the root's is 1
  const Evaluated *solution = nullptr;  ///< null for the root: the original
  std::vector<std::string> failures;    ///< for each failed realisation, how it failed
  bool dropped = false;
  std::vector<std::size_t> children;
};

class StrategyTree {
public:
  static constexpr std::size_t kRoot = 0;
  StrategyTree();

  std::size_t add(std::size_t parent, model::Strategy strategy);
  const TreeNode &node(std::size_t index) const { return nodes_[index]; }
  std::size_t size() const { return nodes_.size(); }
  bool realised(std::size_t index) const { return index == kRoot || nodes_[index].solution != nullptr; }

  /// The next intent to try. Its parent must have a solution and its difficulty must be at most
  /// kMostDifficulty. Order: highest promise, then lowest difficulty, then highest rating, then oldest.
  std::optional<std::size_t> next() const;

  void attach(std::size_t index, const model::Strategy &aligned, const Evaluated &solution, double score);
  /// Records a failed realisation; the fifth failure drops the intent.
  void fail(std::size_t index, std::string reason);
  /// Drops an intent whose precondition does not hold: another attempt cannot change that.
  void drop(std::size_t index, std::string reason);

  /// Predicted speed-up over the original.
  double promise(std::size_t index) const;
  /// 1 to 5. It grows with the number of steps, and by one if the strategy's risk begins with "high".
  int difficulty(std::size_t index) const;
  /// How accurate the prediction of the parent was: its observed over its predicted effect, at most 1.
  double rating(std::size_t index) const;
  /// The realised node with the highest score; the root if no node is faster than the original.
  std::size_t best() const;

private:
  std::vector<TreeNode> nodes_;
};

}  // namespace cupilot::search
