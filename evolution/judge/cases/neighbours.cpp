// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/neighbours.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "annotate/directive/expression.h"
#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::cases {
namespace {

struct Leaf {
  std::string name;
  std::int64_t value = 0;
  bool boolean = false;
};

using Names = std::set<std::string>;

void add_names(Names &names, const std::string &expression) {
  for (auto &name : directive::names_in_expression(expression)) names.insert(std::move(name));
}

/// Adds the names from which the given names are computed, going backwards through the assignments.
Names with_sources(Names names, const spec::Workload &workload) {
  for (auto item = workload.set.rbegin(); item != workload.set.rend(); ++item)
    if (names.contains(item->name)) add_names(names, item->expression);
  return names;
}

/// Names that determine the amount of work: those in extents and launches, and their sources.
Names shape_names(const spec::Workload &workload) {
  Names names;
  for (const auto &buffer : workload.buffers) add_names(names, buffer.extent);
  for (const auto &axis : workload.launch.grid) add_names(names, axis);
  for (const auto &axis : workload.launch.block) add_names(names, axis);
  add_names(names, workload.launch.shared_bytes);
  return with_sources(std::move(names), workload);
}

/// Names that the kernel's arguments depend on. A block size that only the launch uses is not among them,
/// since the guard checks the launch configuration anyway.
Names argument_names(const spec::KernelSpec &spec, const spec::Workload &workload) {
  Names names;
  for (const auto &parameter : spec.parameters) names.insert(parameter.name);
  for (const auto &buffer : workload.buffers) add_names(names, buffer.extent);
  return with_sources(std::move(names), workload);
}

bool is_boolean(const spec::KernelSpec &spec, const std::string &name) {
  return std::ranges::any_of(spec.parameters, [&](const spec::Parameter &p) {
    return p.name == name && p.element == spec::ElementType::boolean;
  });
}

/// Constants that the workload sets and that arguments depend on.
struct Leaves {
  std::vector<Leaf> shape;  ///< those that determine the amount of work
  std::vector<Leaf> others;
  std::map<std::string, double> reals;  ///< the amount of work does not depend on them
};

bool is_real(const spec::KernelSpec &spec, const std::string &name, const directive::Value &value) {
  return std::holds_alternative<double>(value) ||
         std::ranges::any_of(spec.parameters, [&](const spec::Parameter &p) {
           return p.name == name && spec::is_floating(p.element) && !p.pointer;
         });
}

Leaves leaves_of(const spec::KernelSpec &spec, const spec::Workload &workload) {
  const auto shape = shape_names(workload), arguments = argument_names(spec, workload);
  Leaves leaves;
  for (const auto &item : workload.set) {
    if (!arguments.contains(item.name) || !directive::names_in_expression(item.expression).empty()) continue;
    const auto value = directive::evaluate_expression(item.expression, {});
    if (!value) continue;
    if (!shape.contains(item.name) && is_real(spec, item.name, *value))
      leaves.reals[item.name] = std::visit([](auto number) { return static_cast<double>(number); }, *value);
    if (!std::holds_alternative<std::int64_t>(*value) || leaves.reals.contains(item.name)) continue;
    auto &list = shape.contains(item.name) ? leaves.shape : leaves.others;
    list.push_back({item.name, std::get<std::int64_t>(*value), is_boolean(spec, item.name)});
  }
  return leaves;
}

constexpr std::array<std::int64_t, 11> kPrimes{7, 13, 31, 61, 127, 131, 251, 257, 509, 1009, 2053};

/// One of the four largest primes up to `limit`. Consecutive picks differ, so that swapped extents are
/// detected.
std::int64_t prime_below(std::int64_t limit, std::uint64_t pick) {
  const auto usable = static_cast<std::size_t>(std::ranges::upper_bound(kPrimes, limit) - kPrimes.begin());
  return usable == 0 ? limit : kPrimes[usable - 1 - pick % std::min<std::size_t>(usable, 4)];
}

void add_steps(std::vector<Neighbour> &all, const std::vector<Leaf> &leaves, std::int64_t step) {
  for (const auto &leaf : leaves) {
    const auto value = leaf.value + step;
    if (leaf.boolean && value != 0 && value != 1) continue;
    all.push_back({leaf.name + (step < 0 ? "-1" : "+1"), {{leaf.name, value}}});
  }
}

void add_common_step(std::vector<Neighbour> &all, const std::vector<Leaf> &leaves, std::int64_t step) {
  Neighbour neighbour{step < 0 ? "all-1" : "all+1", {}};
  for (const auto &leaf : leaves)
    if (!leaf.boolean) neighbour.values[leaf.name] = leaf.value + step;
  all.push_back(std::move(neighbour));
}

/// Sets all names at once: 1 1 1, 2 3 4, 3 4 5.
Neighbour small(const std::vector<Leaf> &shape, std::int64_t first) {
  Neighbour neighbour{"small-" + std::to_string(first), {}};
  auto next = first;
  for (const auto &leaf : shape) neighbour.values[leaf.name] = first == 1 ? 1 : next++;
  return neighbour;
}

Neighbour empty(const std::vector<Leaf> &shape) {
  Neighbour neighbour{"empty"};
  for (const auto &leaf : shape) neighbour.values[leaf.name] = 0;
  return neighbour;
}

constexpr double kLargeScalar = 1000;

/// Gives each name another value between zero and its own, so that a probability stays a probability. A zero
/// becomes nonzero.
Neighbour other_reals(const std::map<std::string, double> &reals, std::uint64_t seed) {
  Neighbour neighbour{"scalars"};
  neighbour.families = {"subnormal"};  // results below the normal numbers, where the inputs are not
  for (const auto &[name, value] : reals) {
    const double share = 0.4 + 0.05 * static_cast<double>(seed++ % 10);
    neighbour.reals[name] = value == 0 ? share : value * share;
  }
  return neighbour;
}

std::map<std::string, double> without_zeros(std::map<std::string, double> reals) {
  constexpr double kInPlaceOfZero = 0.75;
  for (auto &[name, value] : reals)
    if (value == 0) value = kInPlaceOfZero;
  return reals;
}

/// Values that programs give most often and that formulas treat alike: one, a share of the whole, and with a
/// second scalar zero alone, both the same, opposite ones, and two that make one.
std::vector<Neighbour> scalar_relations(const std::map<std::string, double> &own_reals,
                                        const std::vector<Leaf> &shape) {
  const std::map<std::string, double> reals = without_zeros(own_reals);
  Neighbour one{"scalars-one"}, share{"scalars-share"};
  const auto largest = std::ranges::max_element(shape, {}, &Leaf::value);
  for (const auto &[name, value] : reals) {
    one.reals[name] = 1;
    if (largest != shape.end() && largest->value > 1)
      share.reals[name] = 1 / static_cast<double>(largest->value);
  }
  std::vector<Neighbour> all{one};
  if (!share.reals.empty()) all.push_back(share);
  if (reals.size() < 2) return all;
  for (const auto &[name, value] : reals) {
    Neighbour zero{"scalars-" + name + "=0"};
    zero.reals = reals;
    zero.reals[name] = 0;
    all.push_back(std::move(zero));
  }
  const auto first = reals.begin(), second = std::next(first);
  const double own = first->second;
  const std::pair<const char *, double> related[] = {{"same", own}, {"opposite", -own}, {"to-one", 1 - own}};
  for (const auto &[name, value] : related) {
    Neighbour pair{std::string("scalars-") + name};
    pair.reals = reals;
    pair.reals[first->first] = own;
    pair.reals[second->first] = value;
    all.push_back(std::move(pair));
  }
  return all;
}

/// Small ones with random digits: learning rates, tolerances, units. One input is zero, so that the other
/// input's share does not vanish beside it.
std::vector<Neighbour> small_scalars(const std::map<std::string, double> &reals, std::uint64_t seed) {
  constexpr std::uint64_t kLeastPower = 24, kMostPower = 12;
  std::vector<Neighbour> all;
  for (const std::uint64_t power : {kLeastPower, kMostPower + seed % (kLeastPower - kMostPower)}) {
    Neighbour small{fmt::format("scalars-2^-{}", power)};
    small.families = {data::kZerosInOthers, data::kZerosInOne};
    small.once = true;
    for (const auto &[name, value] : without_zeros(reals))
      small.reals[name] =
          std::ldexp(value * (1.1 + 0.07 * static_cast<double>(seed++ % 10)), -static_cast<int>(power));
    all.push_back(std::move(small));
  }
  return all;
}

/// Each alone: NaN in one hides what becomes of NaN in another.
std::vector<Neighbour> nan_scalars(const std::map<std::string, double> &reals) {
  std::vector<Neighbour> all;
  for (const auto &[name, value] : reals) {
    Neighbour one{fmt::format("scalars-{}=nan", name)};
    one.families = {"user"};
    one.once = true;
    one.reals[name] = std::numeric_limits<double>::quiet_NaN();
    all.push_back(std::move(one));
  }
  return all;
}

/// All names at once: zero, the other sign, large. A branch on the sign of a scalar or on zero is seen both
/// ways.
std::vector<Neighbour> scalar_classes(const std::map<std::string, double> &reals) {
  Neighbour zero{"scalars-zero"}, negative{"scalars-negative"}, large{"scalars-large"};
  // Zero times infinity is a NaN, whichever buffer holds it.
  zero.families = {data::kInfinitiesInOne, data::kInfinitiesInOthers, "infinities"};
  for (const auto &[name, value] : reals) {
    const double own = value == 0 ? 1 : value;
    if (value != 0) zero.reals[name] = 0;
    negative.reals[name] = -own;
    large.reals[name] = own * kLargeScalar;
  }
  std::vector<Neighbour> all{std::move(negative), std::move(large)};
  if (!zero.reals.empty()) all.insert(all.begin(), std::move(zero));
  return all;
}

Neighbour prime(const std::vector<Leaf> &shape, std::uint64_t seed) {
  Neighbour neighbour{"prime", {}};
  for (const auto &leaf : shape) neighbour.values[leaf.name] = prime_below(leaf.value, seed++);
  return neighbour;
}

std::vector<Leaf> without_booleans(std::vector<Leaf> leaves) {
  std::erase_if(leaves, [](const Leaf &leaf) { return leaf.boolean; });
  return leaves;
}

/// With a few columns every one of them holds the largest number of some row, and with a small depth the
/// sizes stand in another order.
std::vector<Neighbour> narrow(const std::vector<Leaf> &shape) {
  constexpr std::int64_t kNarrow = 13;
  constexpr std::size_t kMostNarrow = 4;
  std::vector<Neighbour> all;
  for (const Leaf &leaf : shape)
    if (shape.size() > 1 && leaf.value > 2 * kNarrow && all.size() < kMostNarrow)
      all.push_back({fmt::format("{}={}", leaf.name, kNarrow),
                     {{leaf.name, kNarrow}},
                     {},
                     {"magnitudes", "huge", "heavy_tail"}});
  return all;
}

/// Small enough for `nearly_level` data to be one level: symmetric but for a few numbers.
std::vector<Neighbour> square(const std::vector<Leaf> &shape) {
  constexpr std::int64_t kMostSquare = 31;
  if (shape.size() < 2) return {};
  const auto least = std::ranges::min(shape, {}, &Leaf::value).value;
  Neighbour same{"square", {}, {}, {"nearly_level", "whole", "alike"}};
  for (const Leaf &leaf : shape) same.values[leaf.name] = prime_below(std::min(least, kMostSquare), 0);
  return {same};
}

/// The largest sizes one below a power of two: all bits are set, and vectors, warps and tiles have a tail.
Neighbour below_powers(const std::vector<Leaf> &shape) {
  Neighbour neighbour{"below-powers"};
  for (const Leaf &leaf : shape)
    if (leaf.value > 0)
      neighbour.values[leaf.name] =
          static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(leaf.value) + 1)) - 1;
  return neighbour;
}

/// Integer arguments that the workload computes from one other name and that an extent has as a factor:
/// distances between rows, which may be any larger ones. `n = rows * cols` is none.
std::vector<Leaf> distances_of(const spec::KernelSpec &spec, const spec::Workload &workload) {
  const auto is_argument = [&](const std::string &name) {
    return std::ranges::any_of(spec.parameters, [&](const spec::Parameter &p) {
      return p.name == name && !p.pointer && !spec::is_floating(p.element);
    });
  };
  const auto is_factor = [&](const std::string &name) {
    return std::ranges::any_of(workload.buffers, [&](const spec::BufferUse &buffer) {
      Names names;
      add_names(names, buffer.extent);
      return buffer.extent.contains('*') && names.contains(name);
    });
  };
  std::vector<Leaf> distances;
  directive::Scope scope;
  for (const auto &item : workload.set) {
    const auto value = directive::evaluate_expression(item.expression, scope);
    if (!value) continue;
    scope[item.name] = *value;
    Names names;
    add_names(names, item.expression);
    const auto *integer = std::get_if<std::int64_t>(&*value);
    if (integer && names.size() == 1 && is_argument(item.name) && is_factor(item.name))
      distances.push_back({item.name, *integer});
  }
  return distances;
}

std::vector<Neighbour> larger_distances(const std::vector<Leaf> &distances) {
  std::vector<Neighbour> all;
  for (const Leaf &leaf : distances)
    for (const std::int64_t value : {leaf.value + 1, 2 * leaf.value + 3})
      all.push_back({fmt::format("{}={}", leaf.name, value), {{leaf.name, value}}});
  return all;
}

}  // namespace

std::map<std::string, double> nonzero_scalars_of(const spec::KernelSpec &spec,
                                                 const spec::Workload &workload) {
  return without_zeros(scalars_of(spec, workload));
}

std::map<std::string, double> scalars_of(const spec::KernelSpec &spec, const spec::Workload &workload) {
  return leaves_of(spec, workload).reals;
}

std::vector<Neighbour> special_shapes_of(const spec::KernelSpec &spec, const spec::Workload &workload,
                                         std::uint64_t seed) {
  const auto leaves = leaves_of(spec, workload);
  const auto shape = without_booleans(leaves.shape);
  std::vector<Neighbour> all = narrow(shape);
  std::ranges::move(square(shape), std::back_inserter(all));
  std::ranges::move(larger_distances(distances_of(spec, workload)), std::back_inserter(all));
  if (!shape.empty()) all.push_back(below_powers(shape));
  if (leaves.reals.empty()) return all;
  std::ranges::move(scalar_relations(leaves.reals, shape), std::back_inserter(all));
  std::ranges::move(small_scalars(leaves.reals, seed), std::back_inserter(all));
  std::ranges::move(nan_scalars(leaves.reals), std::back_inserter(all));
  return all;
}

std::vector<Neighbour> neighbours_at(const spec::KernelSpec &spec, const spec::Workload &workload,
                                     const std::vector<std::int64_t> &integers,
                                     const std::vector<double> &reals) {
  const auto leaves = leaves_of(spec, workload);
  const auto scalars = other_reals(leaves.reals, 0).reals;  // a workload's `alpha = 1` hides what is wrong
  std::vector<Neighbour> all;
  for (const std::int64_t value : integers)
    for (const auto *list : {&leaves.shape, &leaves.others})
      for (const Leaf &leaf : *list)
        if (!leaf.boolean && value != leaf.value && (value >= 0 || list == &leaves.others))
          all.push_back({leaf.name + "=" + std::to_string(value), {{leaf.name, value}}, scalars});
  for (const double value : reals)
    for (const auto &[name, own] : leaves.reals)
      if (value != own) all.push_back({fmt::format("{}={}", name, value), {}, {{name, value}}});
  return all;
}

std::vector<ShapeName> shape_names_of(const spec::KernelSpec &spec, const spec::Workload &workload) {
  Names grid;
  for (const auto &axis : workload.launch.grid) add_names(grid, axis);
  grid = with_sources(std::move(grid), workload);
  std::vector<ShapeName> names;
  for (const auto &leaf : leaves_of(spec, workload).shape)
    if (!leaf.boolean) names.push_back({leaf.name, leaf.value, grid.contains(leaf.name)});
  return names;
}

std::vector<ShapeName> other_names_of(const spec::KernelSpec &spec, const spec::Workload &workload) {
  std::vector<ShapeName> names;
  for (const auto &leaf : leaves_of(spec, workload).others)
    if (!leaf.boolean) names.push_back({leaf.name, leaf.value, false});
  return names;
}

std::vector<Neighbour> neighbours_of(const spec::KernelSpec &spec, const spec::Workload &workload,
                                     Steps steps, Scalars scalars, std::uint64_t seed) {
  const auto [shape, others, reals] = leaves_of(spec, workload);
  std::vector<Neighbour> all;
  const auto step = shape.size() > 1 && steps == Steps::together ? add_common_step : add_steps;
  step(all, shape, +1);
  if (!shape.empty()) all.insert(all.end(), {small(shape, 1), prime(shape, seed % 997)});
  if (!reals.empty()) {
    all.push_back(other_reals(reals, seed));
    if (scalars == Scalars::all_classes) std::ranges::move(scalar_classes(reals), std::back_inserter(all));
  }
  step(all, shape, -1);
  add_steps(all, others, +1);
  if (!shape.empty()) all.insert(all.end(), {small(shape, 2), empty(shape), small(shape, 3)});
  add_steps(all, others, -1);
  for (const auto &leaf : shape) all.push_back({leaf.name + "=1", {{leaf.name, 1}}});
  return all;
}

}  // namespace cupilot::judge::cases
