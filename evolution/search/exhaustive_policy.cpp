// SPDX-License-Identifier: Apache-2.0
//
// Policy `exhaustive`: every setting of the knobs of every variant that a built-in rule makes alone, for
// spaces that are small enough and to see how far the other policies stay from the best there is
// (tests/landscapes/spaces). A rule whose variant was not correct as it came is left out. The budget ends it
// early: raise it with --candidates.

#include "evolution/search/policy.h"

#include <algorithm>

#include "evolution/search/descent.h"
#include "evolution/search/knobs.h"

namespace cupilot::search {
namespace {

// Large enough that the builds keep all cores busy, small enough that a stopped search loses little.
constexpr std::size_t kJudgedAtOnce = 32;

}  // namespace

Result<void> run_exhaustive(PolicyContext &context) {
  CUPILOT_CHECKED(judge_single_rules(context));
  std::vector<model::Individual> open;
  for (const Evaluated &one : context.evaluator.all()) {
    if (one.seed != context.settings.seed || score(one.verdict) <= 0) continue;
    for (const auto &values : every_setting(one.individual.knobs)) {
      CUPILOT_TRY(individual, with_knobs(one.individual, values));
      open.push_back(std::move(individual));
    }
  }
  for (std::size_t i = 0; i < open.size() && !context.evaluator.done(); i += kJudgedAtOnce) {
    const auto first = open.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = first + static_cast<std::ptrdiff_t>(std::min(kJudgedAtOnce, open.size() - i));
    CUPILOT_CHECKED(context.evaluator.judge(
        {.name = "every setting", .individuals = {first, end}, .seed = context.settings.seed}));
  }
  return {};
}

}  // namespace cupilot::search
