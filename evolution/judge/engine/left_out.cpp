// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/left_out.h"

#include <fmt/format.h>

#include "annotate/support/log.h"
#include "evolution/judge/correct/outputs.h"

namespace cupilot::judge::engine {

bool LeftOut::contains(const cases::PlannedRun &run) const {
  return inputs_.contains(run.inputs) || cases_.contains(plan_.inputs[run.inputs].case_index) ||
         misaligned_.contains(run.placement) || apart_.contains({run.inputs, run.placement});
}

Result<> LeftOut::add(const cases::PlannedRun &run, const std::string &problem) {
  const cases::PlannedInputs &inputs = plan_.inputs[run.inputs];
  const model::Case &which = bundle_.cases[inputs.case_index];
  const std::string where = correct::describe_run(bundle_, inputs.case_index, inputs.family, run.placement);
  if (cases::is_misaligned(run.placement))
    misaligned_.insert(run.placement);
  else if (cases::is_in_place(run.placement))
    apart_.insert({run.inputs, run.placement});
  else if (inputs.family != "user" && inputs.family != which.families.front())
    inputs_.insert(run.inputs);
  else if (!cases::is_users_own(which))
    cases_.insert(inputs.case_index);
  else
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
