// SPDX-License-Identifier: Apache-2.0
//
// Policy `tree` (K-Search, arXiv 2602.19128): the strategist proposes intents with their predicted effects.
// The most promising intent is worked on until it is realised or has failed five times. Below a realised
// intent the strategist, knowing the predicted and the observed effect, proposes at most three more. The best
// variants judged before (by the rules or an earlier policy) are in the tree from the start.

#include <fmt/format.h>

#include "evolution/search/tree.h"

#include "evolution/role/strategist.h"
#include "evolution/search/policy.h"
#include "evolution/search/population.h"

namespace cupilot::search {
namespace {

constexpr int kMostDry = 2;

std::string name_of(std::size_t index) {
  return fmt::format("node {}", index);
}

/// Siblings and children so far, with predicted and observed effects.
role::Experience tried_around(const StrategyTree &tree, std::size_t index) {
  role::Experience lines;
  const auto add = [&](std::size_t other) {
    const TreeNode &node = tree.node(other);
    if (node.solution != nullptr)
      lines.push_back(describe_effect(node.strategy, node.predicted, node.observed));
    else if (node.dropped)
      lines.push_back(fmt::format("{}: given up, {}", node.strategy.title, node.failures.back()));
  };
  if (index != StrategyTree::kRoot)
    for (const std::size_t sibling : tree.node(tree.node(index).parent).children)
      if (sibling != index) add(sibling);
  for (const std::size_t child : tree.node(index).children) add(child);
  return lines;
}

class TreeSearch {
public:
  explicit TreeSearch(PolicyContext &context) : context_(context) {}
  Result<void> run();

private:
  Result<void> plant();
  Result<void> work_on(std::size_t index);
  /// Returns the number of children that were added.
  Result<std::size_t> extend(std::size_t index);
  /// Called when no intent is open: asks for more below the best node. False if that gave nothing twice or no
  /// question is answered any more.
  Result<bool> reopen();

  PolicyContext &context_;
  StrategyTree tree_;
  StrategyIds ids_{"t", ids_used(context_.evaluator, "t")};
  int round_ = 0, dry_ = 0;
  double best_at_reopening_ = 0;
};

Result<void> TreeSearch::plant() {
  CUPILOT_TRY(analysis, context_.workshop.analysis_at(0, nullptr));
  CUPILOT_TRY(ideas, first_strategies(context_, analysis, {}, context_.settings.options.population, ids_));
  for (model::Strategy &idea : ideas) tree_.add(StrategyTree::kRoot, std::move(idea));
  for (Member &member : judged_before(context_, kElite)) {
    const double reached = score(member.made->verdict);
    member.strategy.gain = reached;
    const std::size_t index = tree_.add(StrategyTree::kRoot, member.strategy);
    tree_.attach(index, member.strategy, *member.made, reached);
    CUPILOT_CHECKED(extend(index));
  }
  return {};
}

Result<std::size_t> TreeSearch::extend(std::size_t index) {
  const TreeNode &node = tree_.node(index);
  if (node.depth >= context_.settings.options.depth) return std::size_t{0};
  CUPILOT_TRY(analysis, context_.workshop.analysis_at(node.depth, node.solution));
  const auto request = role::extend_request({.brief = context_.workshop.brief(),
                                             .analysis = analysis,
                                             .realised = node.strategy,
                                             .predicted = node.predicted,
                                             .observed = node.observed,
                                             .tried = tried_around(tree_, index),
                                             .most = kMostChildren});
  CUPILOT_TRY(answer, context_.models.ask<std::vector<model::Strategy>>(request, [](std::string_view text) {
    return role::parse_strategies_answer(text, kMostChildren);
  }));
  if (!answer) return std::size_t{0};
  for (model::Strategy &child : *answer) {
    child.id = ids_.next();
    tree_.add(index, std::move(child));
  }
  return answer->size();
}

Result<void> TreeSearch::work_on(std::size_t index) {
  const TreeNode &node = tree_.node(index);
  WorkOrder order{.strategy = node.strategy,
                  .base = tree_.node(node.parent).solution,
                  .depth = node.depth - 1,
                  .failed = node.failures};
  if (order.base != nullptr) order.parents = {order.base->individual.id};
  CUPILOT_TRY(pieces, context_.workshop.make(fmt::format("tree {}", ++round_), {std::move(order)}));
  const Piece &piece = pieces.front();
  if (piece.result == nullptr) {
    if (!context_.workshop.done_because().empty()) return {};
    if (piece.refused)
      tree_.drop(index, piece.failure);
    else
      tree_.fail(index, piece.failure);
    return {};
  }
  tree_.attach(index, piece.strategy, *piece.result, score(piece.result->verdict));
  CUPILOT_CHECKED(context_.evaluator.note(
      "prediction",
      fmt::format("{} below {} ({}): {}", name_of(index), name_of(node.parent), piece.result->individual.id,
                  describe_effect(node.strategy, node.predicted, node.observed))));
  CUPILOT_CHECKED(extend(index));
  return {};
}

Result<bool> TreeSearch::reopen() {
  const std::size_t best = tree_.best();
  const double gained = tree_.node(best).score / std::max(1.0, best_at_reopening_) - 1;
  dry_ = best_at_reopening_ > 0 && gained < context_.settings.plateau ? dry_ + 1 : 0;
  best_at_reopening_ = tree_.node(best).score;
  if (best == StrategyTree::kRoot || dry_ >= kMostDry) return false;
  CUPILOT_TRY(children, extend(best));
  return children > 0;
}

Result<void> TreeSearch::run() {
  CUPILOT_CHECKED(plant());
  while (context_.workshop.done_because().empty() && !context_.evaluator.at_roof()) {
    if (const auto index = tree_.next()) {
      CUPILOT_CHECKED(work_on(*index));
      continue;
    }
    CUPILOT_TRY(more, reopen());
    if (!more) break;
  }
  return {};
}

}  // namespace

Result<void> run_tree(PolicyContext &context) {
  return TreeSearch(context).run();
}

}  // namespace cupilot::search
