// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/original_figures.h"

#include <fmt/format.h>

#include "evolution/judge/engine/run_orders.h"

namespace cupilot::judge::engine {

Result<std::map<std::string, model::Profile>> profile_original(OriginalProcess &original,
                                                               const model::Bundle &bundle,
                                                               const cases::Plan &plan) {
  std::map<std::string, model::Profile> profiles;
  for (const std::size_t index : plan.timing) {
    const cases::PlannedInputs &inputs = plan.inputs[index];
    const auto [known, added] = profiles.try_emplace(bundle.cases[inputs.case_index].id);
    if (!added) continue;  // the same case with other data
    model::Profile &profile = known->second;
    profile.workload = bundle.cases[inputs.case_index].workload;
    auto counted = original.profile(run_order(inputs));
    if (counted) {
      profile = std::move(*counted);
      continue;
    }
    profile.note = "no hardware counters: " + counted.error().message;
    CUPILOT_CHECKED(original.restart());
  }
  return profiles;
}

Result<std::map<std::size_t, model::EstimatedTime>> estimate_original(
    OriginalProcess &original, const model::Bundle &bundle, const cases::Plan &plan,
    const std::vector<std::string> &waived) {
  std::map<std::size_t, model::EstimatedTime> estimates;
  for (const std::size_t index : plan.estimated) {
    const std::string &workload = bundle.cases[index].workload;
    const auto report = original.estimate(estimate_order(bundle, index, waived));
    if (!report)
      return fail(fmt::format("the time of the original on workload '{}' cannot be estimated: {}", workload,
                              report.error().message));
    if (!report->faults.empty())
      return fail(fmt::format("the original fails on workload '{}': {}", workload,
                              original.explain(report->faults.front()).text));
    estimates[index] = report->time;
  }
  return estimates;
}

}  // namespace cupilot::judge::engine
