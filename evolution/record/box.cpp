// SPDX-License-Identifier: Apache-2.0
//
// A workload's cases include small neighbours, so its box may contain a workload on which the variant lost.
// The box is then cut along one axis, at the geometric middle between the two, because kernel sizes tend to
// double rather than to grow by one.

#include "evolution/record/box.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace cupilot::record {
namespace {

bool is_integer(const spec::Parameter &parameter) {
  const bool class_type = parameter.element == spec::ElementType::opaque;
  return !parameter.pointer && !class_type && !spec::is_floating(parameter.element);
}

std::optional<std::int64_t> integer_of(const model::Case &one, const std::string &name) {
  const auto found = one.scalars.find(name);
  if (found == one.scalars.end()) return std::nullopt;
  const auto *integer = std::get_if<std::int64_t>(&found->second);
  return integer ? std::optional(*integer) : std::nullopt;
}

/// Distance of two values as a ratio; for zero and negative values the difference is used.
double distance(std::int64_t a, std::int64_t b) {
  if (a > 0 && b > 0) return std::fabs(std::log(static_cast<double>(a) / static_cast<double>(b)));
  return std::fabs(static_cast<double>(a) - static_cast<double>(b));
}

/// The middle between two values; for adjacent values it is on the winner's side.
std::int64_t between(std::int64_t winner, std::int64_t loser) {
  if (winner > 0 && loser > 0) {
    const double mean = std::sqrt(static_cast<double>(winner)) * std::sqrt(static_cast<double>(loser));
    if (mean < 0x1p62) return static_cast<std::int64_t>(std::llround(mean));
  }
  return winner / 2 + loser / 2;
}

/// False if no axis separates the two.
bool cut(Box &box, const model::Case &winner, const model::Case &loser) {
  const std::string *axis = nullptr;
  std::int64_t mine = 0, other = 0;
  double widest = 0;
  for (const auto &[name, range] : box) {
    const auto won = integer_of(winner, name), lost = integer_of(loser, name);
    if (!won || !lost || distance(*won, *lost) <= widest) continue;
    widest = distance(*won, *lost);
    mine = *won;
    other = *lost;
    axis = &name;
  }
  if (!axis) return false;
  auto &range = box[*axis];
  if (mine > other)
    range.first = std::max(range.first, std::clamp(between(mine, other), other + 1, mine));
  else
    range.second = std::min(range.second, std::clamp(between(mine, other), mine, other - 1));
  return true;
}

bool named(const std::vector<std::string> &names, const std::string &name) {
  return std::ranges::find(names, name) != names.end();
}

/// The case that is the workload itself, as the user wrote it; else any of its cases.
const model::Case *own_case(const std::vector<model::Case> &cases, const std::string &workload) {
  const auto own = std::ranges::find_if(
      cases, [&](const model::Case &c) { return c.workload == workload && c.id == c.workload; });
  if (own != cases.end()) return &*own;
  const auto any = std::ranges::find(cases, workload, &model::Case::workload);
  return any == cases.end() ? nullptr : &*any;
}

}  // namespace

bool is_integer_parameter(const spec::KernelSpec &spec, const std::string &name) {
  return std::ranges::any_of(spec.parameters,
                             [&](const spec::Parameter &p) { return p.name == name && is_integer(p); });
}

Box box_around(const spec::KernelSpec &spec, const std::vector<model::Case> &cases) {
  Box box;
  for (const model::Case &one : cases)
    for (const auto &[name, value] : one.scalars) {
      const auto *integer = std::get_if<std::int64_t>(&value);
      if (!integer || !is_integer_parameter(spec, name)) continue;
      auto &range = box.try_emplace(name, *integer, *integer).first->second;
      range = {std::min(range.first, *integer), std::max(range.second, *integer)};
    }
  return box;
}

std::vector<Box> verified_boxes(const spec::KernelSpec &spec, const std::vector<model::Case> &passed) {
  const Box all = box_around(spec, passed);
  std::map<std::string, std::vector<model::Case>> of_workloads;
  for (const model::Case &one : passed) of_workloads[one.workload].push_back(one);
  std::vector<Box> boxes;
  for (const auto &[workload, cases] : of_workloads) {
    Box box = box_around(spec, cases);
    for (auto &[name, range] : box) range.first = all.at(name).first;
    boxes.push_back(std::move(box));
  }
  const auto contains = [](const Box &outer, const Box &inner) {
    return std::ranges::all_of(
        inner, [&](const auto &axis) { return axis.second.second <= outer.at(axis.first).second; });
  };
  std::vector<Box> kept;
  for (const Box &box : boxes) {
    if (std::ranges::any_of(kept, [&](const Box &other) { return contains(other, box); })) continue;
    std::erase_if(kept, [&](const Box &other) { return contains(box, other); });
    kept.push_back(box);
  }
  return kept.size() > 1 ? kept : std::vector<Box>();
}

bool lies_in(const Box &box, const model::Case &one) {
  return std::ranges::all_of(box, [&](const auto &axis) {
    const auto value = integer_of(one, axis.first);
    return value && axis.second.first <= *value && *value <= axis.second.second;
  });
}

Result<std::vector<Box>> dispatch_boxes(const spec::KernelSpec &spec, const std::vector<model::Case> &passed,
                                        const std::vector<std::string> &dispatch) {
  std::vector<Box> boxes;
  for (const std::string &workload : dispatch) {
    std::vector<model::Case> own;
    std::ranges::copy_if(passed, std::back_inserter(own),
                         [&](const model::Case &c) { return c.workload == workload; });
    const model::Case *winner = own_case(own, workload);
    if (!winner)
      return fail(fmt::format("the verdict is faster on workload '{}', but no case of this workload passed",
                              workload));
    Box box = box_around(spec, own);
    for (const model::Case &loser : passed)
      if (loser.timed && !named(dispatch, loser.workload) && lies_in(box, loser) && !cut(box, *winner, loser))
        return fail(
            fmt::format("the variant is faster on workload '{}' and not on '{}', which have the same "
                        "parameters, so that a launch could not distinguish them",
                        workload, loser.workload));
    boxes.push_back(std::move(box));
  }
  return boxes;
}

}  // namespace cupilot::record
