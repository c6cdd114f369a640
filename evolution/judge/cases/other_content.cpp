// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/other_content.h"

#include <fmt/format.h>

#include <algorithm>

#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/cases/evaluate_case.h"
#include "evolution/judge/cases/shrink.h"

namespace cupilot::judge::cases {
namespace {

/// Counts of less than this.
constexpr double kCounts = 8;

spec::ElementType type_of(const spec::KernelSpec &spec, const std::string &name) {
  const auto found = std::ranges::find(spec.parameters, name, &spec::Parameter::name);
  return found == spec.parameters.end() ? spec::ElementType::opaque : element_lanes(*found).type;
}

/// Numbers from zero to this leave room to count on; a number without a sign may come round to zero.
std::optional<double> most_of(spec::ElementType type) {
  switch (type) {
    case spec::ElementType::u32:
      return 0x1p32;
    case spec::ElementType::i32:
      return 0x1p30;
    case spec::ElementType::u64:
    case spec::ElementType::i64:
      return 0x1p48;
    default:
      return std::nullopt;
  }
}

/// A single one is a ticket or a lock.
bool has_free_counts(const model::CaseBuffer &buffer) {
  const bool free =
      buffer.fill.kind == spec::FillKind::zeros || buffer.fill.kind == spec::FillKind::automatic;
  return buffer.role == spec::BufferRole::inout && free && buffer.elements > 1;
}

bool is_known(const spec::KernelSpec &spec, const std::string &name) {
  const auto found = std::ranges::find(spec.parameters, name, &spec::Parameter::name);
  return type_of(spec, name) != spec::ElementType::opaque ||
         (found != spec.parameters.end() && !found->members.empty());
}

}  // namespace

std::vector<std::string> accumulators_of(const spec::KernelSpec &spec, const model::Case &one) {
  std::vector<std::string> names;
  for (const model::CaseBuffer &buffer : one.buffers) {
    const bool single = !spec::is_floating(type_of(spec, buffer.parameter)) && buffer.elements <= 1;
    if (buffer.role == spec::BufferRole::inout && buffer.fill.kind == spec::FillKind::zeros && !single &&
        is_known(spec, buffer.parameter))
      names.push_back(buffer.parameter);
  }
  return names;
}

model::Case with_other_content(const spec::KernelSpec &spec, model::Case one,
                               const std::string &accumulator) {
  one.id = fmt::format("{}/{}=random", one.workload, accumulator);
  one.families = {"user"};
  one.timed = false;
  one.once = true;
  const bool counts = !spec::is_floating(type_of(spec, accumulator));
  for (model::CaseBuffer &buffer : one.buffers)
    if (buffer.parameter == accumulator) {
      buffer.fill = counts ? spec::Fill{spec::FillKind::randint, 0, kCounts, ""} : spec::Fill{};
      buffer.refilled = true;
    }
  return one;
}

std::optional<model::Case> with_large_counts(const spec::KernelSpec &spec, model::Case one,
                                             const std::string &counts) {
  const auto range = most_of(type_of(spec, counts));
  const bool others = std::ranges::any_of(one.buffers, [&](const model::CaseBuffer &buffer) {
    return buffer.role == spec::BufferRole::out ||
           (buffer.role == spec::BufferRole::inout && buffer.parameter != counts);
  });
  if (!range || others) return std::nullopt;
  one.id = fmt::format("{}/{}=large", one.workload, counts);
  one.families = {"user"};
  one.timed = false;
  one.once = true;
  for (model::CaseBuffer &buffer : one.buffers)
    if (buffer.parameter == counts) {
      buffer.fill = {spec::FillKind::randint, 0, *range, ""};
      buffer.refilled = true;
    }
  return one;
}

Result<std::vector<model::Case>> other_content_cases(const spec::KernelSpec &spec,
                                                     const spec::Workload &workload) {
  CUPILOT_TRY(small, shrunk_workload(spec, workload, kNeighbourCap));
  CUPILOT_TRY(one, evaluate_case(spec, small, {}));
  std::vector<model::Case> cases;
  for (const std::string &name : accumulators_of(spec, one))
    cases.push_back(with_other_content(spec, one, name));
  for (const model::CaseBuffer &buffer : one.buffers)
    if (has_free_counts(buffer))
      if (auto large = with_large_counts(spec, one, buffer.parameter)) cases.push_back(std::move(*large));
  return cases;
}

}  // namespace cupilot::judge::cases
