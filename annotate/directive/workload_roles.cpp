// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/workload_roles.h"

#include <algorithm>
#include <cmath>

#include "annotate/directive/expression.h"
#include "annotate/directive/operators.h"

namespace cupilot::directive {
namespace {

bool is_searched(const WorkloadDirective &workload) {
  return !workload.holdout;
}

bool weighs_nothing(const WorkloadDirective &workload) {
  if (!workload.weight) return false;
  const auto value = evaluate_expression(workload.weight->text(), Scope());
  return value && as_double(*value) == 0;
}

void complain(const SourcePlace &place, std::string message, std::string remedy,
              std::vector<Diagnostic> &diagnostics) {
  diagnostics.push_back({Severity::error, place, std::move(message), "", std::move(remedy)});
}

}  // namespace

double resolve_weight(const PlacedText &text, double value, std::vector<Diagnostic> &diagnostics) {
  if (value >= 0 && std::isfinite(value)) return value;
  complain(text.place(), "the weight " + text.text() + " is negative or not a number",
           "write weight(2), or weight(0) for a workload that is timed but need not be faster", diagnostics);
  return 1;
}

void check_workload_roles(const std::vector<WorkloadDirective> &workloads,
                          std::vector<Diagnostic> &diagnostics) {
  for (const WorkloadDirective &workload : workloads)
    if (workload.check && workload.weight)
      complain(workload.weight->place(), "a 'check' workload is never timed, so its weight has no effect",
               "remove 'weight' or 'check'", diagnostics);
  const auto hidden = std::ranges::find_if_not(workloads, is_searched);
  if (hidden != workloads.end() && std::ranges::none_of(workloads, is_searched))
    return complain(hidden->holdout.value(),
                    workloads.size() == 1 ? "the only workload is a hold-out, which the search never sees"
                                          : "all workloads are hold-outs, which the search never sees",
                    "add a workload without 'holdout'", diagnostics);
  const auto timed = [](const WorkloadDirective &w) { return !w.check; };
  const auto searched_and_timed = [&](const WorkloadDirective &w) { return timed(w) && is_searched(w); };
  if (hidden != workloads.end() && std::ranges::any_of(workloads, timed) &&
      std::ranges::none_of(workloads, searched_and_timed))
    return complain(hidden->holdout.value(),
                    "only hold-outs are timed: the search would have nothing to be faster on",
                    "add a workload with neither 'check' nor 'holdout'", diagnostics);
  const auto counts = [&](const WorkloadDirective &w) { return searched_and_timed(w) && !weighs_nothing(w); };
  const auto first = std::ranges::find_if(workloads, searched_and_timed);
  if (first != workloads.end() && std::ranges::none_of(workloads, counts))
    complain(first->weight.value().place(),
             "every timed workload has the weight 0: nothing would have to be faster",
             "give at least one of them a weight above 0", diagnostics);
}

}  // namespace cupilot::directive
