// SPDX-License-Identifier: Apache-2.0
//
// Policy `branches` (PIKE-B, arXiv 2511.16964): follows a few ideas, one branch for each. In every phase the
// best variant of each branch, and only that, is improved by one step. Failed variants are repaired by the
// workshop. The first branches are variants that were judged before (by the rules or an earlier policy); new
// ideas fill the rest.

#include <fmt/format.h>
#include <algorithm>
#include <string>
#include <vector>

#include "evolution/role/strategist.h"
#include "evolution/search/policy.h"
#include "evolution/search/population.h"

namespace cupilot::search {
namespace {

double score_of(const Evaluated *one) {
  return one == nullptr ? 1 : score(one->verdict);
}

bool may_go_on(const PolicyContext &context) {
  return context.workshop.done_because().empty() && !context.evaluator.at_roof();
}

struct Branch {
  model::Strategy strategy;         ///< of the best variant, aligned; the idea while there is none
  const Evaluated *best = nullptr;  ///< null: no variant survived yet
  double predicted = 1, observed = 1;
  int steps = 0, first_tries = 0;
  role::Experience tried;           ///< improvements tried on the current best
  std::vector<std::string> failed;  ///< failed attempts at the idea
  bool closed = false;
};

class Branches {
public:
  explicit Branches(PolicyContext &context) : context_(context) {}
  Result<void> run();

private:
  /// An order and its branch.
  struct Task {
    std::size_t branch;
    WorkOrder order;
  };
  Result<void> open();
  Result<std::vector<Task>> plan();
  /// Returns true if the branch has a new best variant.
  bool take(Branch &branch, const model::Strategy &ordered, const Piece &piece);

  PolicyContext &context_;
  std::vector<Branch> branches_;
  StrategyIds ids_{"b", ids_used(context_.evaluator, "b")};
};

/// The orders of this phase: for each open branch its idea (again), or one step from its best variant.
Result<std::vector<Branches::Task>> Branches::plan() {
  std::vector<Task> tasks;
  std::vector<provider::RoleRequest> questions;
  std::vector<std::size_t> asking;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const Branch &branch = branches_[i];
    if (branch.closed) continue;
    if (branch.best == nullptr) {
      tasks.push_back({i, {.strategy = branch.strategy, .failed = branch.failed}});
      continue;
    }
    CUPILOT_TRY(analysis, context_.workshop.analysis_at(branch.steps, branch.best));
    questions.push_back(role::extend_request({.brief = context_.workshop.brief(),
                                              .analysis = analysis,
                                              .realised = branch.strategy,
                                              .predicted = branch.predicted,
                                              .observed = branch.observed,
                                              .tried = branch.tried,
                                              .most = 1}));
    asking.push_back(i);
  }
  CUPILOT_TRY(answers,
              context_.models.ask_all<std::vector<model::Strategy>>(
                  questions, [](std::string_view text) { return role::parse_strategies_answer(text, 1); }));
  for (std::size_t i = 0; i < asking.size(); ++i) {
    if (!answers[i]) continue;
    const Branch &branch = branches_[asking[i]];
    model::Strategy step = answers[i]->front();
    step.id = ids_.next();
    tasks.push_back({asking[i],
                     {.strategy = std::move(step),
                      .base = branch.best,
                      .parents = {branch.best->individual.id},
                      .depth = branch.steps}});
  }
  return tasks;
}

bool Branches::take(Branch &branch, const model::Strategy &ordered, const Piece &piece) {
  if (branch.best == nullptr && piece.result == nullptr) {
    branch.failed.push_back(piece.failure);
    branch.closed = piece.refused || ++branch.first_tries >= kMostFirstTries;
    return false;
  }
  if (piece.result == nullptr) {
    branch.tried.push_back(fmt::format("{}: failed, {}", ordered.title, piece.failure));
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

Result<void> Branches::open() {
  const std::size_t count = context_.settings.options.branches;
  for (Member &member : judged_before(context_, (count + 1) / 2))
    branches_.push_back({.strategy = std::move(member.strategy), .best = member.made, .steps = 1});
  if (branches_.size() >= count) return {};
  CUPILOT_TRY(analysis, context_.workshop.analysis_at(0, nullptr));
  CUPILOT_TRY(ideas, first_strategies(context_, analysis, {}, count - branches_.size(), ids_));
  for (model::Strategy &idea : ideas) branches_.push_back({.strategy = std::move(idea)});
  return {};
}

Result<void> Branches::run() {
  CUPILOT_CHECKED(open());
  for (int phase = 0, idle = 0; idle < kMostIdlePhases && may_go_on(context_); ++phase) {
    CUPILOT_TRY(tasks, plan());
    if (tasks.empty()) break;
    std::vector<WorkOrder> orders;
    for (const Task &task : tasks) orders.push_back(task.order);
    CUPILOT_TRY(pieces, context_.workshop.make(fmt::format("phase {}", phase), orders));
    if (!context_.workshop.done_because().empty()) break;
    bool better = false;
    for (std::size_t i = 0; i < tasks.size(); ++i)
      better |= take(branches_[tasks[i].branch], orders[i].strategy, pieces[i]);
    idle = better ? 0 : idle + 1;
  }
  return {};
}

}  // namespace

Result<void> run_branches(PolicyContext &context) {
  return Branches(context).run();
}

}  // namespace cupilot::search
