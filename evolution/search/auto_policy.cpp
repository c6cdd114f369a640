// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/auto_policy.h"

#include <algorithm>

#include "evolution/search/knobs_policy.h"
#include "evolution/search/rules_policy.h"

namespace cupilot {
namespace {

Evaluator::Share share_until(const Budget &budget, double part) {
  const auto wall = std::chrono::duration_cast<std::chrono::milliseconds>(budget.wall);
  return {.candidates = static_cast<std::size_t>(part * static_cast<double>(budget.candidates)),
          .wall = std::chrono::milliseconds(
              static_cast<std::chrono::milliseconds::rep>(part * static_cast<double>(wall.count())))};
}

Result<void> run_rules(PolicyContext &context) {
  RulesPolicy rules;
  context.evaluator.set_share(share_until(context.settings.budget, kRulesUntil));
  const auto done = rules.run(context);
  context.evaluator.lift_share();
  return done;
}

/// Another policy on the same search, with settings of its own.
Result<void> run_policy(const PolicyContext &context, const char *name, PolicySettings options) {
  TuneSettings settings = context.settings;
  settings.options = std::move(options);
  PolicyContext inner{context.spec,   settings,        context.pool,      context.history, context.rules,
                      context.models, context.breeder, context.evaluator, context.workshop};
  CUPILOT_TRY(policy, make_policy(name));
  return policy->run(inner);
}

double best_score(const Evaluator &evaluator) {
  return evaluator.best() == nullptr ? 1 : score(evaluator.best()->verdict);
}

Result<void> run_models(PolicyContext &context) {
  const PolicySettings &options = context.settings.options;
  for (int round = 0; context.workshop.done_because().empty(); ++round) {
    CUPILOT_TRY(room, has_room(context));
    if (!room) break;
    const double before = best_score(context.evaluator);
    CUPILOT_CHECKED(run_policy(context, "sce", sce_settings(options, round)));
    CUPILOT_CHECKED(run_policy(context, "branches", options));
    if (best_score(context.evaluator) < (1 + context.settings.plateau) * before) break;
  }
  return {};
}

}  // namespace

bool has_model(const PolicyContext &context) {
  return &context.models.provider_of("translator") != &context.rules.provider_of("translator");
}

Result<bool> has_room(PolicyContext &context) {
  CUPILOT_TRY(analysis, context.workshop.analysis_of(context.evaluator.best()));
  return analysis.roof_share < kRoofReached;
}

PolicySettings sce_settings(PolicySettings settings, int round) {
  if (round > 0) return settings;
  settings.population = std::max<std::size_t>(2, settings.population / 2);
  settings.generations = std::min<std::size_t>(2, settings.generations);
  settings.epochs = 1;
  return settings;
}

Result<void> AutoPolicy::run(PolicyContext &context) {
  if (has_model(context)) {
    CUPILOT_CHECKED(run_rules(context));
    context.evaluator.set_share(share_until(context.settings.budget, kModelsUntil));
    const auto done = run_models(context);
    context.evaluator.lift_share();
    CUPILOT_CHECKED(done);
  } else {
    RulesPolicy rules;
    CUPILOT_CHECKED(rules.run(context));
  }
  return tune_knobs(context.evaluator, context.settings);
}

}  // namespace cupilot
