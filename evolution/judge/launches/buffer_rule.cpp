// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/buffer_rule.h"

#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::launches {

Result<data::InputRule> buffer_rule(const cases::CaseLayout &layout, const cases::PlacedBuffer &buffer,
                                    const std::string &name, const Setting &setting) {
  const bool opaque = buffer.element.type == spec::ElementType::opaque;
  const std::uint64_t count = opaque ? buffer.bytes / sizeof(float) : buffer.elements;
  CUPILOT_TRY(rule, data::input_rule(setting.family, buffer.fill, buffer.values, count,
                                     data::derived_seed(setting.seed, name), name));
  if (setting.nudge != 0 && data::can_be_nudged(rule.shape)) {
    rule.nudge = cases::nudge_of(layout, buffer.values);
    rule.nudge_seed = data::derived_seed(static_cast<std::uint64_t>(setting.nudge), name);
  }
  if (setting.promoted || setting.operands != spec::PrecisionKind::same)
    data::promote_rule(rule, buffer.values, setting.operands);
  return rule;
}

}  // namespace cupilot::judge::launches
