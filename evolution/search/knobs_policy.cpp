// SPDX-License-Identifier: Apache-2.0
//
// Policy `knobs`: makes no new structures and tunes only the declared knobs of existing ones. It uses
// coordinate descent, then Bayesian optimisation if the space has more points than descent could try. Used
// alone, it starts with the variants that each built-in rule makes.

#include "evolution/search/policy.h"

#include <algorithm>

#include "evolution/search/bayes.h"
#include "evolution/strategy/features.h"
#include "evolution/strategy/retrieval.h"

namespace cupilot::search {

Result<void> judge_single_rules(PolicyContext &context) {
  std::vector<StrategySet> sets;
  for (const model::Strategy &one :
       strategy::retrieve(context.pool, {.features = strategy::kernel_features(context.spec),
                                         .only_rules = true,
                                         .architecture = context.settings.architecture,
                                         .precision = context.spec.precision.kind,
                                         .history = context.history,
                                         .kernel_id = context.spec.kernel_id}))
    sets.push_back({one.id});
  CUPILOT_TRY(individuals, context.breeder.breed(sets));
  CUPILOT_CHECKED(context.evaluator.judge(
      {.name = "singles", .individuals = std::move(individuals), .seed = context.settings.seed}));
  return {};
}

Result<void> run_knobs(PolicyContext &context) {
  const bool something = std::ranges::any_of(context.evaluator.all(),
                                             [](const Evaluated &one) { return score(one.verdict) > 0; });
  if (!something) CUPILOT_CHECKED(judge_single_rules(context));
  return tune_knobs(context.evaluator, context.settings);
}

}  // namespace cupilot::search
