// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/auto_policy.h"

#include "evolution/search/knobs_policy.h"

namespace cupilot {
namespace {

Evaluator::Share share_until(const Budget &budget, double part) {
  const auto wall = std::chrono::duration_cast<std::chrono::milliseconds>(budget.wall);
  return {.candidates = static_cast<std::size_t>(part * static_cast<double>(budget.candidates)),
          .wall = std::chrono::milliseconds(
              static_cast<std::chrono::milliseconds::rep>(part * static_cast<double>(wall.count())))};
}

/// `policy` on the same search, until this part of the budget is spent.
Result<void> run_until(double part, PolicyContext &context, const char *name) {
  CUPILOT_TRY(policy, make_policy(name));
  context.evaluator.set_share(share_until(context.settings.budget, part));
  const auto done = policy->run(context);
  context.evaluator.lift_share();
  return done;
}

bool has_room(const PolicyContext &context) {
  return context.workshop.done_because().empty() && !context.evaluator.at_roof();
}

/// The part is spent, whatever is left of the whole.
bool spent(const PolicyContext &context, double part) {
  const Evaluator::Share share = share_until(context.settings.budget, part);
  return context.evaluator.named() >= share.candidates || context.evaluator.elapsed() >= share.wall;
}

double best_score(const Evaluator &evaluator) {
  return evaluator.best() == nullptr ? 1 : score(evaluator.best()->verdict);
}

Result<void> run_models(PolicyContext &context) {
  if (has_room(context)) CUPILOT_CHECKED(run_until(kTreeUntil, context, "tree"));
  while (has_room(context) && !spent(context, kModelsUntil)) {
    const double before = best_score(context.evaluator);
    for (const char *name : {"branches", "sce"})
      if (has_room(context)) CUPILOT_CHECKED(run_until(kModelsUntil, context, name));
    if (best_score(context.evaluator) < (1 + context.settings.plateau) * before) break;
  }
  return {};
}

}  // namespace

bool has_model(const PolicyContext &context) {
  return &context.models.provider_of("translator") != &context.rules.provider_of("translator");
}

Result<void> AutoPolicy::run(PolicyContext &context) {
  if (has_model(context)) {
    CUPILOT_CHECKED(run_until(kRulesUntil, context, "rules"));
    CUPILOT_CHECKED(run_models(context));
  } else {
    CUPILOT_CHECKED(run_until(1, context, "rules"));
  }
  return tune_knobs(context.evaluator, context.settings);
}

}  // namespace cupilot
