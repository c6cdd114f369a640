// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/neighbours.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "annotate/directive/expression.h"

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
  for (const auto &[name, value] : reals) {
    const double share = 0.4 + 0.05 * static_cast<double>(seed++ % 10);
    neighbour.reals[name] = value == 0 ? share : value * share;
  }
  return neighbour;
}

/// All names at once: zero, the other sign, large. A branch on the sign of a scalar or on zero is seen both
/// ways.
std::vector<Neighbour> scalar_classes(const std::map<std::string, double> &reals) {
  Neighbour zero{"scalars-zero"}, negative{"scalars-negative"}, large{"scalars-large"};
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

}  // namespace

std::vector<ShapeName> shape_names_of(const spec::KernelSpec &spec, const spec::Workload &workload) {
  Names grid;
  for (const auto &axis : workload.launch.grid) add_names(grid, axis);
  grid = with_sources(std::move(grid), workload);
  std::vector<ShapeName> names;
  for (const auto &leaf : leaves_of(spec, workload).shape)
    if (!leaf.boolean) names.push_back({leaf.name, leaf.value, grid.contains(leaf.name)});
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
