// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/tree.h"

#include <algorithm>
#include <tuple>

namespace cupilot::search {

StrategyTree::StrategyTree() {
  nodes_.push_back({.observed = 1, .score = 1});
}

std::size_t StrategyTree::add(std::size_t parent, model::Strategy strategy) {
  const std::size_t index = nodes_.size();
  TreeNode node{.parent = parent, .depth = nodes_[parent].depth + 1, .predicted = strategy.gain};
  node.strategy = std::move(strategy);
  nodes_.push_back(std::move(node));
  nodes_[parent].children.push_back(index);
  return index;
}

double StrategyTree::promise(std::size_t index) const {
  return nodes_[nodes_[index].parent].score * nodes_[index].predicted;
}

int StrategyTree::difficulty(std::size_t index) const {
  const model::Strategy &strategy = nodes_[index].strategy;
  const int steps = std::clamp(static_cast<int>(strategy.steps.size()), 1, 8);
  const bool risky = strategy.risk.starts_with("high") || strategy.risk.starts_with("High");
  return std::clamp((steps + 1) / 2 + (risky ? 1 : 0), 1, 5);
}

double StrategyTree::rating(std::size_t index) const {
  const TreeNode &parent = nodes_[nodes_[index].parent];
  return std::min(1.0, parent.observed / parent.predicted);
}

std::optional<std::size_t> StrategyTree::next() const {
  const auto order = [this](std::size_t index) {
    return std::tuple(-promise(index), difficulty(index), -rating(index), index);
  };
  std::optional<std::size_t> chosen;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const TreeNode &node = nodes_[i];
    if (node.dropped || node.solution != nullptr || !realised(node.parent)) continue;
    if (difficulty(i) > kMostDifficulty) continue;
    if (!chosen || order(i) < order(*chosen)) chosen = i;
  }
  return chosen;
}

void StrategyTree::attach(std::size_t index, const model::Strategy &aligned, const Evaluated &solution,
                          double score) {
  TreeNode &node = nodes_[index];
  node.strategy = aligned;
  node.solution = &solution;
  node.score = score;
  node.observed = score / nodes_[node.parent].score;
}

void StrategyTree::fail(std::size_t index, std::string reason) {
  TreeNode &node = nodes_[index];
  node.failures.push_back(std::move(reason));
  if (static_cast<int>(node.failures.size()) >= kMostFailedRealisations) node.dropped = true;
}

void StrategyTree::drop(std::size_t index, std::string reason) {
  nodes_[index].failures.push_back(std::move(reason));
  nodes_[index].dropped = true;
}

std::size_t StrategyTree::best() const {
  std::size_t best = kRoot;
  for (std::size_t i = 1; i < nodes_.size(); ++i)
    if (nodes_[i].score > nodes_[best].score) best = i;
  return best;
}

}  // namespace cupilot::search
