// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/left_out.h"

#include <fmt/format.h>

#include <algorithm>

#include "annotate/support/log.h"
#include "evolution/judge/correct/outputs.h"

namespace cupilot::judge::engine {

namespace {

constexpr int kMostDrawnFailures = 2;

/// Not scalars of the workload's size, which an original may fail on by themselves: NaN, tiny ones.
bool is_drawn_size(const model::Case &which) {
  return which.once && !which.id.contains("/scalars-") &&
         std::ranges::none_of(which.buffers, [](const model::CaseBuffer &buffer) {
           return buffer.refilled || !buffer.same_as.empty();
         });
}

}  // namespace

/// Sizes with drawn scalars fail by themselves: an original may not take every scalar.
std::string LeftOut::group_of(const model::Case &which) const {
  const auto own = std::ranges::find(bundle_.cases, which.workload, &model::Case::id);
  const bool same = std::ranges::all_of(which.scalars, [&](const auto &scalar) {
    return own == bundle_.cases.end() || std::holds_alternative<std::int64_t>(scalar.second) ||
           own->scalars.at(scalar.first) == scalar.second;
  });
  return which.workload + (same ? "" : "/scalars");
}

bool LeftOut::leaves_drawn(const model::Case &which) const {
  const auto failed = drawn_.find(group_of(which));
  return is_drawn_size(which) && failed != drawn_.end() && failed->second >= kMostDrawnFailures;
}

bool LeftOut::loses_in_place(const cases::PlannedRun &run) const {
  const model::Case &which = bundle_.cases[plan_.inputs[run.inputs].case_index];
  if (!cases::is_in_place(run.placement) || cases::is_users_own(which)) return false;
  return std::ranges::any_of(apart_, [&](const auto &lost) {
    const model::Case &other = bundle_.cases[plan_.inputs[lost.first].case_index];
    return other.workload == which.workload && cases::is_users_own(other) &&
           cases::is_in_last(lost.second) == cases::is_in_last(run.placement);
  });
}

bool LeftOut::contains(const cases::PlannedRun &run) const {
  const std::size_t index = plan_.inputs[run.inputs].case_index;
  // Whoever fails with all pointers one element off is not asked about each by itself.
  const bool one_off = cases::elements_past(run.placement) == 1;
  return inputs_.contains(run.inputs) || cases_.contains(index) || leaves_drawn(bundle_.cases[index]) ||
         misaligned_.contains(run.placement) ||
         (one_off && misaligned_.contains(cases::Placement::misaligned)) ||
         apart_.contains({run.inputs, run.placement}) || loses_in_place(run);
}

Result<> LeftOut::add(const cases::PlannedRun &run, const std::string &problem) {
  const cases::PlannedInputs &inputs = plan_.inputs[run.inputs];
  const model::Case &which = bundle_.cases[inputs.case_index];
  const std::string where =
      correct::describe_run(bundle_, inputs.case_index, inputs.family, run.placement, run.shifts);
  if (cases::is_misaligned(run.placement))
    misaligned_.insert(run.placement);
  else if (cases::is_in_place(run.placement))
    apart_.insert({run.inputs, run.placement});
  else if (inputs.family != "user" && inputs.family != which.families.front())
    inputs_.insert(run.inputs);
  else if (!cases::is_users_own(which)) {
    cases_.insert(inputs.case_index);
    if (is_drawn_size(which)) ++drawn_[group_of(which)];
  } else
    return user_error(fmt::format("the original fails on {}: {}", where, problem));
  const std::string told =
      fmt::format("{} is left out for candidates, because the original fails on it: {}", where, problem);
  // Most kernels do not work in place, so this is logged at debug level only.
  if (cases::is_in_place(run.placement))
    log::debug(told);
  else
    log::note(told);
  return {};
}

}  // namespace cupilot::judge::engine
