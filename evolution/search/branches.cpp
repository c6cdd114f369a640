// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/branches.h"

#include <algorithm>

#include "evolution/search/ideas.h"

namespace cupilot {
namespace {

double score_of(const Evaluated *one) {
  return one == nullptr ? 1 : score(one->verdict);
}

bool may_go_on(const PolicyContext &context) {
  return context.workshop.done_because().empty() && !context.evaluator.at_roof();
}

}  // namespace

/// What each open branch does in this phase: its idea (again), or one step from its best.
Result<std::vector<BranchesPolicy::Task>> BranchesPolicy::plan(PolicyContext &context) {
  std::vector<Task> tasks;
  std::vector<RoleRequest> questions;
  std::vector<std::size_t> asking;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const Branch &branch = branches_[i];
    if (branch.closed) continue;
    if (branch.best == nullptr) {
      tasks.push_back({i, {.strategy = branch.strategy, .failed = branch.failed}});
      continue;
    }
    CUPILOT_TRY(analysis, context.workshop.analysis_at(branch.steps, branch.best));
    questions.push_back(extend_request({.brief = context.workshop.brief(),
                                        .analysis = analysis,
                                        .realised = branch.strategy,
                                        .predicted = branch.predicted,
                                        .observed = branch.observed,
                                        .tried = branch.tried,
                                        .most = 1}));
    asking.push_back(i);
  }
  CUPILOT_TRY(answers, context.models.ask_all<std::vector<Strategy>>(questions, [](std::string_view text) {
    return parse_strategies_answer(text, 1);
  }));
  for (std::size_t i = 0; i < asking.size(); ++i) {
    if (!answers[i]) continue;
    const Branch &branch = branches_[asking[i]];
    Strategy step = answers[i]->front();
    step.id = ids_.next();
    tasks.push_back({asking[i],
                     {.strategy = std::move(step),
                      .base = branch.best,
                      .parents = {branch.best->individual.id},
                      .depth = branch.steps}});
  }
  return tasks;
}

bool BranchesPolicy::take(Branch &branch, const Strategy &ordered, const Piece &piece) {
  if (branch.best == nullptr && piece.result == nullptr) {
    branch.failed.push_back(piece.failure);
    branch.closed = piece.refused || ++branch.first_tries >= kMostFirstTries;
    return false;
  }
  if (piece.result == nullptr) {
    branch.tried.push_back(ordered.title + ": failed, " + piece.failure);
    return false;
  }
  const double observed = score(piece.result->verdict) / score_of(branch.best);
  if (branch.best != nullptr && observed <= 1) {
    branch.tried.push_back(describe_effect(ordered, ordered.gain, observed));
    return false;
  }
  branch.best = piece.result;
  branch.strategy = piece.strategy;
  branch.predicted = ordered.gain;
  branch.observed = observed;
  ++branch.steps;
  branch.tried.clear();
  return true;
}

Result<void> BranchesPolicy::open(PolicyContext &context) {
  const std::size_t count = context.settings.options.branches;
  ids_ = StrategyIds("b", ids_used(context.evaluator, "b"));
  for (Member &member : judged_before(context, (count + 1) / 2))
    branches_.push_back({.strategy = std::move(member.strategy), .best = member.made, .steps = 1});
  if (branches_.size() >= count) return {};
  CUPILOT_TRY(analysis, context.workshop.analysis_at(0, nullptr));
  CUPILOT_TRY(ideas, first_strategies(context, analysis, {}, count - branches_.size(), ids_));
  for (Strategy &idea : ideas) branches_.push_back({.strategy = std::move(idea)});
  return {};
}

Result<void> BranchesPolicy::run(PolicyContext &context) {
  CUPILOT_CHECKED(open(context));
  for (int phase = 0, idle = 0; idle < kMostIdlePhases && may_go_on(context); ++phase) {
    CUPILOT_TRY(tasks, plan(context));
    if (tasks.empty()) break;
    std::vector<WorkOrder> orders;
    for (const Task &task : tasks) orders.push_back(task.order);
    CUPILOT_TRY(pieces, context.workshop.make("phase " + std::to_string(phase), orders));
    if (!context.workshop.done_because().empty()) break;
    bool better = false;
    for (std::size_t i = 0; i < tasks.size(); ++i)
      better |= take(branches_[tasks[i].branch], orders[i].strategy, pieces[i]);
    idle = better ? 0 : idle + 1;
  }
  return {};
}

}  // namespace cupilot
