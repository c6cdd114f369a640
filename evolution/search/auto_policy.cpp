// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/auto_policy.h"

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

Result<void> run_within(PolicyContext &context, Policy &policy, double until) {
  context.evaluator.set_share(share_until(context.settings.budget, until));
  const auto done = policy.run(context);
  context.evaluator.lift_share();
  return done;
}

}  // namespace

bool has_model(const PolicyContext &context) {
  return &context.models.provider_of("translator") != &context.rules.provider_of("translator");
}

Result<bool> has_room(PolicyContext &context) {
  CUPILOT_TRY(analysis, context.workshop.analysis_of(context.evaluator.best()));
  return analysis.roof_share < kRoofReached;
}

Result<void> AutoPolicy::run(PolicyContext &context) {
  RulesPolicy rules;
  if (!has_model(context)) {
    CUPILOT_CHECKED(rules.run(context));
    return tune_knobs(context.evaluator, context.settings);
  }
  CUPILOT_CHECKED(run_within(context, rules, kRulesUntil));
  if (context.evaluator.done()) return {};
  CUPILOT_TRY(room, has_room(context));
  if (room) {
    CUPILOT_TRY(sce, make_policy("sce"));
    CUPILOT_CHECKED(run_within(context, *sce, kModelsUntil));
  }
  return tune_knobs(context.evaluator, context.settings);
}

}  // namespace cupilot
