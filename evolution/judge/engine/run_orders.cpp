// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/run_orders.h"

#include "evolution/judge/data/input_family.h"
#include "evolution/model/bundle_json.h"

namespace cupilot::judge::engine {

namespace {

/// Share of the time limit after which the emulated device ends a launch itself, so that its report arrives
/// before the parent ends the child.
constexpr double kOwnLimitShare = 0.8;

}  // namespace

Order setup_order(const model::Bundle &bundle) {
  model::Bundle shown = bundle;
  shown.request.seed = shown.request.secret = 0;
  shown.reserve.clear();
  return {Order::What::setup, model::to_json(shown)};
}

RunOrder run_order(const cases::PlannedInputs &inputs) {
  RunOrder order{.case_index = inputs.case_index};
  order.setting.family = inputs.family;
  order.setting.seed = inputs.seed;
  return order;
}

RunOrder run_order(const model::Bundle &bundle, const cases::Plan &plan, const cases::PlannedRun &run,
                   const std::vector<std::string> &waived) {
  const cases::PlannedInputs &inputs = plan.inputs[run.inputs];
  RunOrder order = run_order(inputs);
  order.setting.placement = run.placement;
  order.setting.shifts = run.shifts;
  order.setting.waived = waived;
  order.setting.seconds = kOwnLimitShare * bundle.request.run_seconds;
  order.setting.other_poison = run.other_poison;
  return order;
}

RunOrder estimate_order(const model::Bundle &bundle, std::size_t index,
                        const std::vector<std::string> &waived) {
  RunOrder order{.case_index = index};
  order.setting.family = "user";
  order.setting.seed =
      data::derived_seed(cases::data_seed(bundle.request), bundle.cases[index].id + "/estimate");
  order.setting.waived = waived;
  order.setting.seconds = kOwnLimitShare * bundle.request.run_seconds;
  return order;
}

}  // namespace cupilot::judge::engine
