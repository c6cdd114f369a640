// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/buffer_rule.h"

#include <algorithm>
#include <initializer_list>
#include <variant>
#include <vector>

#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::launches {

namespace {

bool suits(spec::FillKind kind, spec::ElementType type) {
  switch (kind) {
    case spec::FillKind::normal:
    case spec::FillKind::uniform:
      return spec::is_floating(type);
    case spec::FillKind::randint:
    case spec::FillKind::sorted:
      return !spec::is_floating(type);
    default:
      return true;
  }
}

bool is_first_floating_input(const cases::CaseLayout &layout, const cases::PlacedBuffer &buffer) {
  const auto first = std::ranges::find_if(
      layout.buffers, [](const cases::PlacedBuffer &one) { return one.read() && cases::has_floating(one); });
  return first != layout.buffers.end() && first->parameter == buffer.parameter;
}

/// Of data that are promised to be finite no other are drawn.
const std::string &family_for(const cases::CaseLayout &layout, const cases::PlacedBuffer &buffer,
                              const Setting &setting) {
  static const std::string user = "user";
  const bool first = is_first_floating_input(layout, buffer);
  const auto is = [&](std::initializer_list<const char *> families) {
    return std::ranges::any_of(families, [&](const char *one) { return setting.family == one; });
  };
  const bool in_first = is({data::kInfinitiesInOne, data::kOctaves, data::kZerosInOne});
  const bool in_others = is({data::kInfinitiesInOthers, data::kZerosInOthers});
  const bool left = (in_first && !first) || (in_others && first);
  return left || (buffer.finite && (data::has_non_finite(setting.family) || setting.family == data::kOctaves))
             ? user
             : setting.family;
}

/// A row is as long as one of the sizes that divide the buffer, which the seed picks; 0: there is none.
std::uint64_t row_of(const model::Case &which, std::uint64_t count, std::uint64_t seed) {
  constexpr std::uint64_t kLeastRow = 8;
  std::vector<std::uint64_t> rows;
  for (const auto &[name, value] : which.scalars)
    if (const auto *size = std::get_if<std::int64_t>(&value); size && *size > 0)
      if (const auto row = static_cast<std::uint64_t>(*size);
          row >= kLeastRow && row < count && count % row == 0)
        rows.push_back(row);
  return rows.empty() ? 0 : rows[data::input_bits(seed, rows.size()) % rows.size()];
}

/// How the buffer of this parameter is rounded as an operand.
spec::PrecisionKind operands_of(const std::string &name, const Setting &setting) {
  return setting.operand.empty() || setting.operand == name ? setting.operands : spec::PrecisionKind::same;
}

}  // namespace

Result<data::InputRule> buffer_rule(const cases::CaseLayout &layout, const cases::PlacedBuffer &buffer,
                                    const std::string &name, const Setting &setting) {
  const bool opaque = buffer.element.type == spec::ElementType::opaque;
  const std::string &source = buffer.data_of.empty() ? name : buffer.data_of;
  const std::uint64_t count = opaque ? buffer.bytes / sizeof(float) : buffer.elements;
  CUPILOT_TRY(rule, data::input_rule(family_for(layout, buffer, setting), buffer.fill, buffer.values, count,
                                     data::derived_seed(setting.seed, source), source));
  rule.common_seed = setting.seed;
  rule.patchwork.row = row_of(*setting.which, count, rule.seed);
  if (buffer.range.size() == 2) {
    rule.ranged = true;
    rule.low = buffer.range[0], rule.high = buffer.range[1];
  }
  if (setting.nudge != 0 && data::can_be_nudged(rule.shape)) {
    rule.nudge = cases::nudge_of(layout, buffer.values);
    rule.nudge_seed = data::derived_seed(static_cast<std::uint64_t>(setting.nudge), name);
  }
  const spec::PrecisionKind operands = operands_of(name, setting);
  if (setting.promoted || operands != spec::PrecisionKind::same)
    data::promote_rule(rule, buffer.values, operands);
  return rule;
}

Result<std::vector<MemberRule>> member_rules(const cases::CaseLayout &layout,
                                             const cases::PlacedBuffer &buffer, const std::string &name,
                                             const Setting &setting) {
  std::vector<MemberRule> rules;
  const std::uint64_t elements = buffer.bytes / std::max<std::uint64_t>(buffer.element.lanes, 1);
  for (const spec::Member &member : buffer.members) {
    const spec::Fill fill = suits(buffer.fill.kind, member.type) ? buffer.fill : spec::Fill{};
    const std::string own = (buffer.data_of.empty() ? name : buffer.data_of) + "." + member.name;
    CUPILOT_TRY(rule, data::input_rule(family_for(layout, buffer, setting), fill, member.type,
                                       elements * member.count, data::derived_seed(setting.seed, own), name));
    if (setting.nudge != 0 && data::can_be_nudged(rule.shape)) {
      rule.nudge = cases::nudge_of(layout, member.type);
      rule.nudge_seed = data::derived_seed(static_cast<std::uint64_t>(setting.nudge), own);
    }
    if (const auto operands = operands_of(name, setting); operands != spec::PrecisionKind::same)
      data::promote_rule(rule, member.type, operands);
    rules.push_back({member, rule});
  }
  return rules;
}

}  // namespace cupilot::judge::launches
