// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/made_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "evolution/judge/cases/evaluate_case.h"
#include "evolution/judge/cases/neighbour_case.h"
#include "evolution/judge/cases/neighbours.h"
#include "evolution/judge/cases/shrink.h"

namespace cupilot::judge::cases {
namespace {

/// A made case may take this many elements of all buffers together; where all other sizes are 1 there may be
/// as many as a grid of a few thousand blocks takes, since texts limit their grids. There are at most so many
/// cases, which several candidates share.
constexpr std::uint64_t kMadeElements = 1u << 18, kMadeElementsAlone = 1u << 20;
constexpr std::size_t kMostMade = 384;

Constants with_those_beside(const Constants &constants) {
  Constants all;
  for (const std::int64_t value : constants.integers)
    for (const std::int64_t near : {value, value + 1, value - 1})
      if (std::ranges::find(all.integers, near) == all.integers.end()) all.integers.push_back(near);
  for (const double value : constants.reals)
    for (const double near : {value, value * 1.01 + 1e-6, value * 0.99 - 1e-6, -value})
      if (std::ranges::find(all.reals, near) == all.reals.end()) all.reals.push_back(near);
  return all;
}

/// What is an aligned step beside them. Those are less telling than all others.
std::vector<std::int64_t> steps_beside(const std::vector<std::int64_t> &integers) {
  std::vector<std::int64_t> steps;
  for (const std::int64_t value : integers)
    for (const std::int64_t step : {value - aligned_step(value), value + aligned_step(value)})
      if (step > 0 && std::ranges::find(steps, step) == steps.end()) steps.push_back(step);
  return steps;
}

bool fits_into(const model::Case &one, std::uint64_t most) {
  double elements = 0;
  for (const auto &buffer : one.buffers) elements += static_cast<double>(buffer.elements);
  return elements <= static_cast<double>(most);
}

/// The values, and all other sizes small: what asks for a large width need not have many rows.
Overrides with_small_others(const spec::KernelSpec &spec, const spec::Workload &workload, Overrides values,
                            std::int64_t most) {
  for (const ShapeName &name : shape_names_of(spec, workload))
    values.try_emplace(name.name, std::min(name.value, most));
  return values;
}

/// The case at a constant: with the workload's other sizes, or with the largest others that are small enough.
std::optional<model::Case> made_case(const spec::KernelSpec &spec, const spec::Workload &workload,
                                     const Neighbour &neighbour) {
  constexpr std::int64_t kFew = 5;
  const auto made = [&](const Overrides &values, std::uint64_t most) -> std::optional<model::Case> {
    auto one = evaluate_case(spec, workload, values, neighbour.reals);
    if (!one || !fits_into(*one, most)) return std::nullopt;
    return std::move(*one);
  };
  if (auto one = made(neighbour.values, kMadeElements)) return one;
  if (auto one = made(with_small_others(spec, workload, neighbour.values, kFew), kMadeElements)) return one;
  return made(with_small_others(spec, workload, neighbour.values, 1), kMadeElementsAlone);
}

/// The most telling ones first.
std::vector<Neighbour> neighbours_at_constants(const spec::KernelSpec &spec, const spec::Workload &workload,
                                               const Constants &constants) {
  const Constants near = with_those_beside(constants);
  std::vector<Neighbour> all = neighbours_at(spec, workload, near.integers, near.reals);
  std::ranges::move(neighbours_at(spec, workload, steps_beside(constants.integers), {}),
                    std::back_inserter(all));
  return all;
}

}  // namespace

std::int64_t aligned_step(std::int64_t value) {
  constexpr std::int64_t kVector = 4, kWarp = 32;
  return value >= 4 * kWarp ? kWarp : kVector;
}

bool fits_a_made_case(const model::Case &one) {
  return fits_into(one, kMadeElements);
}

std::vector<model::Case> made_cases(const spec::KernelSpec &spec, const std::vector<model::Case> &cases,
                                    const Constants &constants) {
  std::vector<model::Case> made;
  for (const spec::Workload &workload : spec.workloads) {
    const bool repeated = std::ranges::any_of(made, [&](const model::Case &one) {
      return one.workload != workload.id && made.size() >= kMostMade / 2;
    });
    if (workload.holdout || repeated) continue;
    const auto centre = shrunk_workload(spec, workload, kNeighbourCap);
    if (!centre) continue;
    for (const Neighbour &neighbour : neighbours_at_constants(spec, *centre, constants)) {
      auto one = made_case(spec, *centre, neighbour);
      const auto same = [&](const model::Case &other) { return same_values(other, *one); };
      if (!one || std::ranges::any_of(cases, same) || std::ranges::any_of(made, same)) continue;
      one->id = fmt::format("{}/{}", workload.id, neighbour.suffix);
      one->families = {"user"};
      made.push_back(std::move(*one));
      if (made.size() == kMostMade) return made;
    }
  }
  return made;
}

}  // namespace cupilot::judge::cases
