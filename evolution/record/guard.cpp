// SPDX-License-Identifier: Apache-2.0
//
// The guard of a record. If the launcher can evaluate the launch expressions, they are stored, so that one
// record serves every size in the domain. Otherwise only the configurations that were verified are accepted.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "annotate/directive/data_assumption.h"
#include "annotate/directive/expression.h"
#include "annotate/support/names.h"
#include "evolution/record/box.h"
#include "evolution/record/record.h"

namespace cupilot::record {
namespace {

/// Matches whole words only: `n` in `rows * n`, not in `min(n1, 2)`.
std::string replace_word(const std::string &text, const std::string &word, const std::string &with) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end == i) {
      result += text[i++];
      continue;
    }
    const auto found = text.substr(i, end - i);
    result += found == word ? with : found;
    i = end;
  }
  return result;
}

/// `expression` with the workload's own names replaced, or nullopt if something other than integer parameters
/// remains. A name whose value is a parameter's becomes that parameter; a constant stays.
std::optional<std::string> over_parameters(std::string expression, const spec::KernelSpec &spec,
                                           const spec::Workload &workload) {
  for (auto item = workload.set.rbegin(); item != workload.set.rend(); ++item)
    if (!is_integer_parameter(spec, item->name))
      expression = replace_word(expression, item->name, fmt::format("({})", item->expression));
  const auto names = directive::names_in_expression(expression);
  const bool known =
      std::ranges::all_of(names, [&](const std::string &n) { return is_integer_parameter(spec, n); });
  return known ? std::optional(expression) : std::nullopt;
}

std::optional<spec::LaunchShape> shape_over_parameters(const spec::KernelSpec &spec,
                                                       const spec::Workload &workload) {
  spec::LaunchShape shape = workload.launch;
  for (auto *text : {&shape.grid[0], &shape.grid[1], &shape.grid[2], &shape.block[0], &shape.block[1],
                     &shape.block[2], &shape.shared_bytes}) {
    auto inlined = over_parameters(*text, spec, workload);
    if (!inlined) return std::nullopt;
    *text = std::move(*inlined);
  }
  return shape;
}

std::array<std::uint64_t, 7> configuration(const model::Case &one) {
  return {one.grid[0], one.grid[1], one.grid[2], one.block[0], one.block[1], one.block[2], one.shared_bytes};
}

/// The launcher knows only parameters; the shape must give the configuration of every passed case from them
/// alone.
bool explains(const spec::LaunchShape &shape, const model::Case &one) {
  directive::Scope scope;
  for (const auto &[name, value] : one.scalars)
    if (const auto *integer = std::get_if<std::int64_t>(&value)) scope[name] = *integer;
  const auto gives = [&](const std::string &text, std::uint64_t wanted) {
    const auto value = directive::evaluate_integer(text, scope);
    return value && *value >= 0 && static_cast<std::uint64_t>(*value) == wanted;
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!gives(shape.grid[axis], one.grid[axis]) || !gives(shape.block[axis], one.block[axis])) return false;
  return gives(shape.shared_bytes, one.shared_bytes);
}

std::optional<spec::LaunchShape> common_shape(const spec::KernelSpec &spec,
                                              const std::vector<model::Case> &passed) {
  for (const auto &workload : spec.workloads) {
    const bool verified =
        std::ranges::any_of(passed, [&](const model::Case &c) { return c.workload == workload.id; });
    if (!verified) continue;
    const auto shape = shape_over_parameters(spec, workload);
    if (shape && std::ranges::all_of(passed, [&](const model::Case &c) { return explains(*shape, c); }))
      return shape;
  }
  return std::nullopt;
}

/// Accepts the launches of the cases that passed for `dispatch`, one by one, and none that has the
/// configuration of a timed workload that is not in it. nullopt: these workloads have such a configuration.
std::optional<model::Guard> guard_by_configuration(model::Guard guard, const std::vector<model::Case> &passed,
                                                   const std::vector<std::string> &dispatch) {
  std::set<std::array<std::uint64_t, 7>> won, lost;
  for (const model::Case &one : passed) {
    const bool wins = std::ranges::find(dispatch, one.workload) != dispatch.end();
    if (wins || one.timed) (wins ? won : lost).insert(configuration(one));
  }
  for (const model::Case &one : passed)
    if (one.timed && std::ranges::find(dispatch, one.workload) != dispatch.end() &&
        lost.contains(configuration(one)))
      return std::nullopt;
  guard.launch.grid = guard.launch.block = {"", "", ""};
  guard.launch.shared_bytes = "";
  guard.configurations.clear();
  std::ranges::set_difference(won, lost, std::back_inserter(guard.configurations));
  return guard;
}

}  // namespace

model::Guard make_guard(const spec::KernelSpec &spec, const std::vector<model::Case> &passed) {
  model::Guard guard;
  for (const spec::Assumption &assumption : spec.assumptions)
    (directive::data_assumption(assumption.expression) ? guard.promises : guard.assumptions)
        .push_back(assumption.expression);
  guard.domain = box_around(spec, passed);
  guard.verified = verified_boxes(spec, passed);
  if (const auto shape = common_shape(spec, passed)) {
    guard.launch = *shape;
    return guard;
  }
  guard.launch.grid = guard.launch.block = {"", "", ""};
  guard.launch.shared_bytes = "";
  std::set<std::array<std::uint64_t, 7>> seen;
  for (const auto &one : passed) seen.insert(configuration(one));
  guard.configurations.assign(seen.begin(), seen.end());
  return guard;
}

Result<model::Guard> make_guard(const spec::KernelSpec &spec, const std::vector<model::Case> &passed,
                                const std::vector<std::string> &dispatch) {
  if (dispatch.empty()) return make_guard(spec, passed);
  // The variant was correct on all of them; the boxes only say where it is faster.
  model::Guard guard = make_guard(spec, passed);
  auto boxes = dispatch_boxes(spec, passed, dispatch);
  if (boxes) {
    guard.boxes = std::move(*boxes);
    return guard;
  }
  // Workloads of the same parameters may differ in their grids.
  if (auto other = guard_by_configuration(std::move(guard), passed, dispatch)) return std::move(*other);
  return std::unexpected(boxes.error());
}

}  // namespace cupilot::record
