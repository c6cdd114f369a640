// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/buffer_rule.h"

#include "evolution/judge/data/input_family.h"

namespace cupilot {

Result<InputRule> buffer_rule(const CaseLayout &layout, const PlacedBuffer &buffer, const std::string &name,
                              const Setting &setting) {
  const bool opaque = buffer.element.type == ElementType::opaque;
  const std::uint64_t count = opaque ? buffer.bytes / sizeof(float) : buffer.elements;
  CUPILOT_TRY(rule, input_rule(setting.family, buffer.fill, buffer.values, count,
                               derived_seed(setting.seed, name), name));
  if (setting.nudge != 0 && can_be_nudged(rule.shape)) {
    rule.nudge = nudge_of(layout, buffer.values);
    rule.nudge_seed = derived_seed(static_cast<std::uint64_t>(setting.nudge), name);
  }
  if (setting.promoted || setting.operands != PrecisionKind::same)
    promote_rule(rule, buffer.values, setting.operands);
  return rule;
}

}  // namespace cupilot
