// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/evaluate_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "annotate/directive/data_assumption.h"
#include "annotate/directive/expression.h"
#include "annotate/directive/operators.h"

namespace cupilot::judge::cases {
namespace {

std::unexpected<Error> located(const SourcePlace &place, const spec::Workload &workload,
                               const std::string &message) {
  std::string where;
  if (!place.file.empty()) where = place.file + ":";
  if (place.line > 0) where += fmt::format("{}:{}:", place.line, place.column);
  if (!where.empty()) where += ' ';
  return user_error(fmt::format("{}workload '{}': {}", where, workload.id, message));
}

struct Range {
  std::int64_t low, high;
};
std::optional<Range> range_of(spec::ElementType type) {
  switch (type) {
    case spec::ElementType::i8:
      return Range{INT8_MIN, INT8_MAX};
    case spec::ElementType::u8:
      return Range{0, UINT8_MAX};
    case spec::ElementType::i16:
      return Range{INT16_MIN, INT16_MAX};
    case spec::ElementType::u16:
      return Range{0, UINT16_MAX};
    case spec::ElementType::i32:
      return Range{INT32_MIN, INT32_MAX};
    case spec::ElementType::u32:
      return Range{0, UINT32_MAX};
    case spec::ElementType::i64:
      return Range{INT64_MIN, INT64_MAX};
    case spec::ElementType::u64:
      return Range{0, INT64_MAX};
    case spec::ElementType::boolean:
      return Range{0, 1};
    default:
      return std::nullopt;
  }
}

Result<directive::Scope> evaluate_set(const spec::Workload &workload, const Overrides &overrides,
                                      const RealOverrides &reals) {
  directive::Scope scope;
  for (const auto &item : workload.set) {
    if (const auto fixed = reals.find(item.name); fixed != reals.end()) {
      scope[item.name] = fixed->second;
      continue;
    }
    if (const auto fixed = overrides.find(item.name); fixed != overrides.end()) {
      scope[item.name] = fixed->second;
      continue;
    }
    auto value = directive::evaluate_expression(item.expression, scope);
    if (!value)
      return located(workload.place, workload,
                     fmt::format("set({} = {}): {}", item.name, item.expression, value.error().message));
    scope[item.name] = *value;
  }
  return scope;
}

Result<void> add_scalar(model::Case &one, const spec::Workload &workload, const spec::Parameter &parameter,
                        const directive::Scope &scope) {
  const auto value = scope.find(parameter.name);
  if (parameter.element == spec::ElementType::opaque)
    return located(
        workload.place, workload,
        fmt::format("the parameter '{}' has the type '{}', which a workload cannot set; only numbers and "
                    "pointers are supported",
                    parameter.name, parameter.type));
  if (value == scope.end())
    return located(workload.place, workload,
                   fmt::format("the parameter '{}' has no value; add it to set(...)", parameter.name));
  if (spec::is_floating(parameter.element)) {
    one.scalars[parameter.name] =
        std::visit([](auto number) { return static_cast<double>(number); }, value->second);
    return {};
  }
  auto integer = directive::evaluate_integer(parameter.name, scope);
  if (!integer) return located(workload.place, workload, integer.error().message);
  const auto range = range_of(parameter.element);
  if (range && (*integer < range->low || *integer > range->high))
    return located(workload.place, workload,
                   fmt::format("{} = {} does not fit into '{}'", parameter.name, *integer, parameter.type));
  one.scalars[parameter.name] = *integer;
  return {};
}

/// A range that is empty at these sizes has no data.
Result<spec::Fill> evaluate_fill(const spec::BufferUse &use, const spec::Workload &workload,
                                 const directive::Scope &scope, std::int64_t elements) {
  spec::Fill fill = use.fill;
  if (fill.low.empty()) return fill;
  for (const auto &[text, value] : {std::pair(&fill.low, &fill.a), std::pair(&fill.high, &fill.b)}) {
    const auto number = directive::evaluate_expression(*text, scope);
    if (!number)
      return located(use.place, workload,
                     fmt::format("fill of '{}': {}", use.parameter, number.error().message));
    *value = std::visit([](auto known) { return static_cast<double>(known); }, *number);
    text->clear();
  }
  if (fill.kind != spec::FillKind::normal && fill.a >= fill.b && elements > 0)
    return located(
        use.place, workload,
        fmt::format("fill of '{}': there is no number from {} to below {}", use.parameter, fill.a, fill.b));
  return fill;
}

Result<void> add_buffer(model::Case &one, const spec::Workload &workload, const spec::Parameter &parameter,
                        const directive::Scope &scope, std::int64_t least) {
  const auto use = std::ranges::find_if(
      workload.buffers, [&](const spec::BufferUse &b) { return b.parameter == parameter.name; });
  if (use == workload.buffers.end())
    return located(
        workload.place, workload,
        fmt::format("the pointer '{}' has no extent; add it to in, out, inout or scratch", parameter.name));
  const auto what = fmt::format("extent of '{}'", parameter.name);
  auto elements = directive::evaluate_integer(use->extent, scope);
  if (!elements) return located(use->place, workload, fmt::format("{}: {}", what, elements.error().message));
  if (*elements < least)
    return located(
        use->place, workload,
        fmt::format("{}: '{}' is {}; a buffer needs at least one element", what, use->extent, *elements));
  std::int64_t bytes = 0;
  const auto width = static_cast<std::int64_t>(std::max<std::size_t>(1, parameter.element_bytes));
  if (__builtin_mul_overflow(*elements, width, &bytes))
    return located(
        use->place, workload,
        fmt::format("{}: the size of {} elements of {} bytes overflows 64 bits", what, *elements, width));
  CUPILOT_TRY(fill, evaluate_fill(*use, workload, scope, *elements));
  one.buffers.push_back({parameter.name, use->role, static_cast<std::uint64_t>(*elements), std::move(fill)});
  return {};
}

/// Limits that hold for every architecture from sm_70 on. Limits of a specific device are found when it
/// launches.
struct LaunchLimit {
  const char *what;
  std::array<std::int64_t, 3> most;
};
constexpr LaunchLimit kGridLimit{"grid", {INT32_MAX, 65535, 65535}};
constexpr LaunchLimit kBlockLimit{"block", {1024, 1024, 64}};
constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kMostSharedBytes = 227 << 10;

Result<std::array<std::uint32_t, 3>> dimensions(const spec::Workload &workload,
                                                const std::array<std::string, 3> &texts,
                                                const LaunchLimit &limit, const directive::Scope &scope) {
  std::array<std::uint32_t, 3> sizes{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto what = fmt::format("launch {}.{}", limit.what, "xyz"[axis]);
    auto size = directive::evaluate_integer(texts[axis], scope);
    if (!size)
      return located(workload.place, workload,
                     fmt::format("{}: {}; state it with launch(grid, block)", what, size.error().message));
    if (*size < 1 || *size > limit.most[axis])
      return located(
          workload.place, workload,
          fmt::format("{}: '{}' is {}; it must be from 1 to {}", what, texts[axis], *size, limit.most[axis]));
    sizes[axis] = static_cast<std::uint32_t>(*size);
  }
  return sizes;
}

Result<void> add_launch(model::Case &one, const spec::Workload &workload, const directive::Scope &scope) {
  CUPILOT_TRY(grid, dimensions(workload, workload.launch.grid, kGridLimit, scope));
  CUPILOT_TRY(block, dimensions(workload, workload.launch.block, kBlockLimit, scope));
  one.grid = grid;
  one.block = block;
  const auto threads = std::int64_t{block[0]} * block[1] * block[2];
  if (threads > kMostThreads)
    return located(
        workload.place, workload,
        fmt::format("the launch block has {} threads; a block can have at most {}", threads, kMostThreads));
  auto shared = directive::evaluate_integer(workload.launch.shared_bytes, scope);
  if (!shared) return located(workload.place, workload, "launch shared bytes: " + shared.error().message);
  if (*shared < 0 || *shared > kMostSharedBytes)
    return located(workload.place, workload,
                   fmt::format("the launch has {} bytes of dynamic shared memory; it must be from 0 to {}",
                               *shared, kMostSharedBytes));
  one.shared_bytes = static_cast<std::uint64_t>(*shared);
  return {};
}

/// A value that is never used in practice proves nothing, and may crash the original.
Result<void> keep_assumptions(const spec::KernelSpec &spec, const spec::Workload &workload,
                              const directive::Scope &scope) {
  for (const spec::Assumption &assumption : spec.assumptions) {
    if (directive::data_assumption(assumption.expression)) continue;  // see add_promises
    const auto holds = directive::evaluate_expression(assumption.expression, scope);
    if (!holds || !directive::truth(*holds))
      return located(workload.place, workload,
                     fmt::format("it breaks the assumption '{}' of the kernel", assumption.expression));
  }
  return {};
}

/// What is promised of the data is kept when they are drawn.
void add_promises(model::Case &one, const spec::KernelSpec &spec) {
  for (const spec::Assumption &assumption : spec.assumptions)
    if (const auto said = directive::data_assumption(assumption.expression))
      for (model::CaseBuffer &buffer : one.buffers) {
        if (buffer.parameter != said->parameter) continue;
        buffer.finite = true;
        if (said->ranged) buffer.range = {said->low, said->high};
      }
}

}  // namespace

Result<model::Case> evaluate_case(const spec::KernelSpec &spec, const spec::Workload &workload,
                                  const Overrides &overrides, const RealOverrides &reals) {
  model::Case one;
  one.id = one.workload = workload.id;
  one.weight = workload.weight;
  one.holdout = workload.holdout;
  CUPILOT_TRY(scope, evaluate_set(workload, overrides, reals));
  const std::int64_t least = overrides.empty() ? 1 : 0;
  CUPILOT_CHECKED(keep_assumptions(spec, workload, scope));
  for (const auto &parameter : spec.parameters)
    CUPILOT_CHECKED(parameter.pointer ? add_buffer(one, workload, parameter, scope, least)
                                      : add_scalar(one, workload, parameter, scope));
  CUPILOT_CHECKED(add_launch(one, workload, scope));
  add_promises(one, spec);
  return one;
}

}  // namespace cupilot::judge::cases
