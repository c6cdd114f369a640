// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/original_figures.h"

#include <fmt/format.h>

#include <chrono>

#include "annotate/support/log.h"
#include "evolution/judge/engine/run_orders.h"

namespace cupilot::judge::engine {

namespace {

/// For each case.
constexpr std::chrono::milliseconds kLooking{800};
/// Differences that are worth a note.
constexpr double kNearlyAll = 0.8;

void note_needed(const correct::NeededBytes &needed, const cases::CaseLayout &layout,
                 const std::string &workload) {
  const double declared = static_cast<double>(layout.read_bytes + layout.written_bytes);
  if (needed.all() < kNearlyAll * declared)
    log::note(fmt::format("workload '{}': the kernel needs about {:.0f} % of the bytes of its buffers",
                          workload, needed.all() / declared * 100));
}

}  // namespace

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

std::map<std::size_t, correct::NeededBytes> bytes_of_original(OriginalProcess &original,
                                                              const model::Bundle &bundle,
                                                              const cases::Plan &plan,
                                                              const std::vector<std::string> &waived) {
  std::map<std::size_t, correct::NeededBytes> found;
  for (const std::size_t index : plan.timing) {
    const std::size_t which = plan.inputs[index].case_index;
    if (found.contains(which)) continue;
    RunOrder order = run_order(bundle, plan, {index}, waived);
    const auto outputs_of = [&](const std::string &family) {
      order.setting.family = family;
      return original.outputs_of(order);
    };
    const auto end = std::chrono::steady_clock::now() + kLooking;
    const cases::CaseLayout &layout = plan.layouts[which];
    found[which] = correct::needed_bytes(layout, bundle.parameters, outputs_of,
                                         [&] { return std::chrono::steady_clock::now() < end; });
    note_needed(found[which], layout, bundle.cases[which].workload);
  }
  return found;
}

}  // namespace cupilot::judge::engine
