// SPDX-License-Identifier: Apache-2.0
//
// Policy `auto`: what costs nothing first. The rules, within a share of the budget. Where the roofline then
// still leaves room and a model is there: `tree` on top of the rules' best, which comes furthest with few
// candidates where steps add up; then rounds of `branches` and `sce`, which finds what is not on the way up,
// each beginning with what the one before found, until a round gains too little. At last the knobs of the
// finalists. What a part does not use of its share is the next one's. Order and shares are those that did
// best on landscapes with a known optimum (tests/landscapes).

#include "evolution/search/policy.h"

#include "evolution/model/role.h"
#include "evolution/search/bayes.h"

namespace cupilot {
namespace {

// Of the budget's candidates and wall time, counted from the start of the run: where the rules end, where
// `tree` ends, and where models end so that something is left for the knobs.
constexpr double kRulesUntil = 0.25, kTreeUntil = 0.5, kModelsUntil = 0.85;

Allowance::Share share_until(const Budget &budget, double part) {
  const auto wall = std::chrono::duration_cast<std::chrono::milliseconds>(budget.wall);
  return {.candidates = static_cast<std::size_t>(part * static_cast<double>(budget.candidates)),
          .wall = std::chrono::milliseconds(
              static_cast<std::chrono::milliseconds::rep>(part * static_cast<double>(wall.count())))};
}

/// `policy` on the same search, until this part of the budget is spent.
Result<void> run_until(double part, PolicyContext &context, PolicyFunction policy) {
  context.evaluator.allowance().set_share(share_until(context.settings.budget, part));
  const auto done = policy(context);
  context.evaluator.allowance().lift_share();
  return done;
}

bool has_room(const PolicyContext &context) {
  return context.workshop.done_because().empty() && !context.evaluator.at_roof();
}

/// The part is spent, whatever is left of the whole.
bool spent(const PolicyContext &context, double part) {
  const Allowance::Share share = share_until(context.settings.budget, part);
  const Allowance &used = context.evaluator.allowance();
  return used.named() >= share.candidates || used.elapsed() >= share.wall;
}

double best_score(const Evaluator &evaluator) {
  return evaluator.best() == nullptr ? 1 : score(evaluator.best()->verdict);
}

Result<void> run_models(PolicyContext &context) {
  if (has_room(context)) CUPILOT_CHECKED(run_until(kTreeUntil, context, run_tree));
  while (has_room(context) && !spent(context, kModelsUntil)) {
    const double before = best_score(context.evaluator);
    for (const PolicyFunction policy : {run_branches, run_sce})
      if (has_room(context)) CUPILOT_CHECKED(run_until(kModelsUntil, context, policy));
    if (best_score(context.evaluator) < (1 + context.settings.plateau) * before) break;
  }
  return {};
}

/// Somebody other than built-in rules answers the translator's questions.
bool has_model(const PolicyContext &context) {
  return &context.models.provider_of(kTranslator) != &context.rules.provider_of(kTranslator);
}

}  // namespace

Result<void> run_auto(PolicyContext &context) {
  if (has_model(context)) {
    CUPILOT_CHECKED(run_until(kRulesUntil, context, run_rules));
    CUPILOT_CHECKED(run_models(context));
  } else {
    CUPILOT_CHECKED(run_until(1, context, run_rules));
  }
  return tune_knobs(context.evaluator, context.settings);
}

}  // namespace cupilot
