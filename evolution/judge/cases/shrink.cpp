// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "evolution/judge/cases/neighbours.h"

namespace cupilot::judge::cases {
namespace {

constexpr double kThreadsOfAnElement = 4;

double cost_of(const model::Case &one, const std::vector<ShapeName> &names) {
  double elements = 0, product = 1, threads = 1;
  for (const auto &buffer : one.buffers) elements += static_cast<double>(buffer.elements);
  for (const auto &name : names) product *= static_cast<double>(std::max<std::int64_t>(1, name.value));
  for (int axis = 0; axis < 3; ++axis) threads *= static_cast<double>(one.grid[axis]) * one.block[axis];
  return std::max(
      {elements, product / static_cast<double>(kStepsOfAnElement), threads / kThreadsOfAnElement});
}

std::uint64_t blocks_of(const model::Case &one) {
  return std::uint64_t{one.grid[0]} * one.grid[1] * one.grid[2];
}

class Shrinking {
public:
  Shrinking(const spec::KernelSpec &spec, const spec::Workload &workload, model::Case start)
      : spec_(spec), workload_(workload), names_(shape_names_of(spec, workload)), case_(std::move(start)) {}

  double cost() const { return cost_of(case_, names_); }

  /// Halves the largest name that only reduces the number of blocks, else the largest name. False: nothing
  /// got smaller.
  bool halve() {
    std::vector<std::size_t> order(names_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return names_[i].value; });
    const auto try_all = [&](bool keep_blocks) {
      return std::ranges::any_of(order, [&](std::size_t i) { return halve(i, keep_blocks); });
    };
    std::ranges::stable_partition(order, [&](std::size_t i) { return names_[i].in_grid; });
    if (try_all(true)) return true;
    return try_all(false);
  }

  Overrides values() const {
    Overrides values;
    for (const auto &name : names_) values[name.name] = name.value;
    return values;
  }
  const model::Case &which() const { return case_; }

private:
  bool halve(std::size_t index, bool keep_blocks) {
    if (names_[index].value < 2) return false;
    auto smaller = names_;
    smaller[index].value /= 2;
    Overrides overrides;
    for (const auto &name : smaller) overrides[name.name] = name.value;
    auto evaluated = evaluate_case(spec_, workload_, overrides);
    if (!evaluated || cost_of(*evaluated, smaller) >= cost()) return false;
    if (keep_blocks && blocks_of(*evaluated) < std::min(kLeastBlocks, blocks_of(case_))) return false;
    names_ = std::move(smaller);
    case_ = std::move(*evaluated);
    return true;
  }

  const spec::KernelSpec &spec_;
  const spec::Workload &workload_;
  std::vector<ShapeName> names_;
  model::Case case_;
};

std::string difference(const std::vector<ShapeName> &full, const Overrides &values) {
  std::string small, large;
  for (const auto &name : full) {
    const auto value = values.at(name.name);
    if (value == name.value) continue;
    const auto *space = small.empty() ? "" : " ";
    small += fmt::format("{}{}={}", space, name.name, value);
    large += fmt::format("{}{}={}", space, name.name, name.value);
  }
  return fmt::format("{} instead of {}", small, large);
}

}  // namespace

Result<std::optional<Shrunk>> shrink(const spec::KernelSpec &spec, const spec::Workload &workload,
                                     WorkCap cap) {
  CUPILOT_TRY(whole, evaluate_case(spec, workload, {}));
  Shrinking shrinking(spec, workload, std::move(whole));
  const auto limit = static_cast<double>(cap.cost);
  if (shrinking.cost() <= limit) return std::nullopt;
  while (shrinking.cost() > limit && shrinking.halve()) {
  }
  Shrunk shrunk{shrinking.values(), shrinking.which(), {}};
  shrunk.text = difference(shape_names_of(spec, workload), shrunk.values);
  return shrunk.text.starts_with(" instead") ? std::optional<Shrunk>() : std::optional(std::move(shrunk));
}

spec::Workload with_values(spec::Workload workload, const Overrides &values) {
  for (auto &item : workload.set)
    if (const auto fixed = values.find(item.name); fixed != values.end())
      item.expression = std::to_string(fixed->second);
  return workload;
}

Result<spec::Workload> shrunk_workload(const spec::KernelSpec &spec, const spec::Workload &workload,
                                       WorkCap cap) {
  CUPILOT_TRY(shrunk, shrink(spec, workload, cap));
  return shrunk ? with_values(workload, shrunk->values) : workload;
}

}  // namespace cupilot::judge::cases
