// SPDX-License-Identifier: Apache-2.0
//
// Policy `auto`: starts with what costs nothing. First the rules run, within a share of the budget. If the
// roofline still leaves room and a model is available, `tree` continues from the best variant of the rules;
// it makes the most progress with few candidates when steps add up. Then rounds of `branches` and `sce`
// follow, which also find variants that are not reached by improving steps; each continues with what the one
// before found, until a round gains too little. Last, the knobs of the best variants are tuned. A part that
// does not use its whole share leaves the rest to the next one. Order and shares performed best on landscapes
// with a known optimum (tests/landscapes).

#include "evolution/search/policy.h"

#include "evolution/model/role.h"
#include "evolution/search/bayes.h"

namespace cupilot::search {
namespace {

// Shares of the budget's candidates and wall time, counted from the start of the run: where the rules end,
// where `tree` ends, and where the models end so that budget for the knobs remains.
constexpr double kRulesUntil = 0.25, kTreeUntil = 0.5, kModelsUntil = 0.85;

Allowance::Share share_until(const Budget &budget, double part) {
  const auto wall = std::chrono::duration_cast<std::chrono::milliseconds>(budget.wall);
  return {.candidates = static_cast<std::size_t>(part * static_cast<double>(budget.candidates)),
          .wall = std::chrono::milliseconds(
              static_cast<std::chrono::milliseconds::rep>(part * static_cast<double>(wall.count())))};
}

/// Runs `policy` on the same search until this part of the budget is spent.
Result<void> run_until(double part, PolicyContext &context, PolicyFunction policy) {
  context.evaluator.allowance().set_share(share_until(context.settings.budget, part));
  const auto done = policy(context);
  context.evaluator.allowance().lift_share();
  return done;
}

bool has_room(const PolicyContext &context) {
  return context.workshop.done_because().empty() && !context.evaluator.at_roof();
}

/// True if this part of the budget is spent, even if budget remains.
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

/// True if a provider other than the built-in rules answers the translator's questions.
bool has_model(const PolicyContext &context) {
  return &context.models.provider_of(model::kTranslator) != &context.rules.provider_of(model::kTranslator);
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

}  // namespace cupilot::search
