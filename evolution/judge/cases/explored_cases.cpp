// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/explored_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "evolution/judge/cases/drawn_sizes.h"
#include "evolution/judge/cases/made_cases.h"
#include "evolution/judge/cases/neighbours.h"
#include "evolution/judge/cases/shrink.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/data/input_rule.h"

namespace cupilot::judge::cases {
namespace {

/// Of all workloads together: evaluating one, and asking what it decides, takes some ten microseconds.
constexpr std::size_t kMostCalls = 2048;
/// A number at most so many times, with so many draws where all sizes are multiples of it.
constexpr std::int64_t kMostTimes = 8;
constexpr int kMultiples = 3;
constexpr std::size_t kMostNumbers = 40;
/// What is put together from two numbers, for all sizes alike.
constexpr std::size_t kMostOfTwo = 192;
/// Where one size is what a call is about, the others are these at most.
constexpr std::int64_t kFewOthers[] = {5, 1};

RealOverrides other_reals(const spec::KernelSpec &spec, const spec::Workload &workload) {
  RealOverrides reals = nonzero_scalars_of(spec, workload);
  double share = 0.4;
  for (auto &[name, value] : reals) value *= share, share += 0.05;
  return reals;
}

class Explorer {
public:
  Explorer(const spec::KernelSpec &spec, const spec::Workload &workload, std::vector<ShapeName> centre,
           const std::vector<std::int64_t> &numbers, std::uint64_t seed, std::size_t most)
      : spec_(spec),
        workload_(workload),
        own_(shape_names_of(spec, workload)),
        centre_(std::move(centre)),
        others_(other_names_of(spec, workload)),
        most_(most),
        seed_(data::derived_seed(seed, "explored " + workload.id)) {
    for (const ShapeName &name : own_) largest_ = std::max(largest_, name.value);
    for (const std::int64_t number : numbers)
      if (number > 2 && number <= largest_ && numbers_.size() < kMostNumbers &&
          std::ranges::find(numbers_, number) == numbers_.end())
        numbers_.push_back(number);
  }

  std::vector<ExploredCase> explore() {
    each_alone_at_numbers();
    multiples_together();
    numbers_together(most_ / 8);
    related(most_ / 4);
    drawn(most_ / 4);
    other_integers();
    each_alone();
    return std::move(made_);
  }

private:
  std::uint64_t below(std::uint64_t count) {
    return data::input_bits(seed_, next_++) % std::max<std::uint64_t>(count, 1);
  }
  bool full() const { return made_.size() >= most_; }

  bool try_one(Overrides values) {
    if (full() || !tried_.insert(values).second) return false;
    ExploredCall call{workload_.id, std::move(values)};
    auto which = explored_case(spec_, call);
    if (!which) return false;
    made_.push_back({std::move(call), std::move(*which)});
    return true;
  }

  Overrides centre(std::int64_t most) const {
    Overrides values;
    for (const ShapeName &name : centre_) values[name.name] = std::min(name.value, most);
    return values;
  }

  void alone(const ShapeName &name, std::int64_t value) {
    if (value < 1 || value > name.value) return;
    Overrides values = centre(largest_);
    values[name.name] = value;
    if (try_one(values)) return;
    for (const std::int64_t few : kFewOthers) {
      values = centre(few);
      values[name.name] = value;
      if (try_one(values)) return;
    }
  }

  void each_alone_at_numbers() {
    for (const std::int64_t number : numbers_)
      for (const std::int64_t near : {number, number - 1, number + 1})
        for (const ShapeName &name : own_) alone(name, near);
    std::vector<std::int64_t> values;
    for (const std::int64_t a : numbers_)
      for (const std::int64_t b : numbers_) {
        for (std::int64_t times = 1; times <= kMostTimes && a > b; ++times)
          values.insert(values.end(), {a * times, a * times + b, a * times - b});
        values.push_back(a * b);
      }
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    std::erase_if(values, [&](std::int64_t value) { return value < 1 || value > largest_; });
    const std::size_t end = std::min(made_.size() + kMostOfTwo, most_ / 2);
    while (!values.empty() && made_.size() < end) {
      std::swap(values[below(values.size())], values.back());
      for (const ShapeName &name : own_) alone(name, values.back());
      values.pop_back();
    }
  }

  /// Sizes for several names have to be small: a number at most a few times.
  void multiples_together() {
    if (own_.size() < 2) return;
    for (const std::int64_t number : numbers_)
      for (int draw = 0; draw < kMultiples; ++draw) {
        Overrides values = centre(largest_);
        for (const ShapeName &name : own_)
          if (number <= name.value)
            values[name.name] =
                number * (1 + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(
                                  std::min(draw == 0 ? 1 : kMostTimes, name.value / number)))));
        try_one(std::move(values));
      }
  }

  void numbers_together(std::size_t most) {
    if (own_.size() < 2 || numbers_.empty()) return;
    for (std::size_t draw = 0; draw < most; ++draw) {
      Overrides values = centre(largest_);
      for (const ShapeName &name : own_)
        if (const std::int64_t number = numbers_[below(numbers_.size())]; number <= name.value)
          values[name.name] = number;
      try_one(std::move(values));
    }
  }

  /// All sizes follow from one of them and a number: as much more, the same in all but some bits, as many
  /// times, or what is left of a sum or a product.
  void related(std::size_t most) {
    if (own_.size() < 2) return;
    constexpr std::uint64_t kFew = 4;
    for (std::size_t draw = 0; draw < most; ++draw) {
      const auto least = std::ranges::min(own_, {}, &ShapeName::value).value;
      const auto first =
          1 + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(std::max<std::int64_t>(least, 1))));
      Overrides values;
      for (const ShapeName &name : own_) {
        const bool small = numbers_.empty() || below(2) == 0;
        const std::int64_t number =
            small ? static_cast<std::int64_t>(below(kFew)) : numbers_[below(numbers_.size())];
        const std::int64_t related[] = {first,          first + number, first - number, first ^ number,
                                        first * number, number - first, number / first, first};
        values[name.name] = std::clamp(values.empty() ? first : related[below(std::size(related))],
                                       std::int64_t{1}, std::max<std::int64_t>(name.value, 1));
      }
      try_one(std::move(values));
    }
  }

  void drawn(std::size_t most) {
    for (std::size_t draw = 0; draw < most; ++draw) {
      Neighbour sizes = drawn_size(draw % 2 ? centre_ : own_, seed_, draw, 0);
      if (draw % 2 == 0)
        for (const ShapeName &name : own_)
          if (name.value > 0) sizes.values.try_emplace(name.name, name.value);
      try_one(std::move(sizes.values));
    }
  }

  void other_integers() {
    for (const ShapeName &name : others_) {
      std::vector<std::int64_t> values = numbers_;
      for (std::int64_t near = -2; near <= 2; ++near) values.insert(values.end(), {near, name.value + near});
      for (const std::int64_t value : values) {
        Overrides all = centre(largest_);
        all[name.name] = value;
        try_one(std::move(all));
      }
    }
  }

  void each_alone() {
    for (std::int64_t value = 1; value <= largest_ && !full(); ++value)
      for (const ShapeName &name : own_) alone(name, value);
  }

  const spec::KernelSpec &spec_;
  const spec::Workload &workload_;
  std::vector<ShapeName> own_, centre_, others_;
  std::vector<std::int64_t> numbers_;
  std::size_t most_;
  std::uint64_t seed_, next_ = 0;
  std::int64_t largest_ = 0;
  std::set<Overrides> tried_;
  std::vector<ExploredCase> made_;
};

}  // namespace

Result<model::Case> explored_case(const spec::KernelSpec &spec, const ExploredCall &call) {
  const auto workload = std::ranges::find(spec.workloads, call.workload, &spec::Workload::id);
  if (workload == spec.workloads.end()) return fail("there is no workload '" + call.workload + "'");
  CUPILOT_TRY(one, evaluate_case(spec, *workload, call.values, other_reals(spec, *workload)));
  if (!fits_a_made_case(one)) return fail("it is too large");
  std::string text;
  for (const auto &[name, value] : call.values)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  one.id = fmt::format("{}/{}", call.workload, text);
  one.families = {"user"};
  return one;
}

std::vector<ExploredCase> explored_cases(const spec::KernelSpec &spec,
                                         const std::vector<std::int64_t> &numbers, std::uint64_t seed) {
  const auto shown = static_cast<std::size_t>(
      std::ranges::count_if(spec.workloads, [](const spec::Workload &one) { return !one.holdout; }));
  std::vector<ExploredCase> all;
  for (const spec::Workload &workload : spec.workloads) {
    if (workload.holdout) continue;
    const auto centre = shrunk_workload(spec, workload, kNeighbourCap);
    if (!centre) continue;
    auto made =
        Explorer(spec, workload, shape_names_of(spec, *centre), numbers, seed, kMostCalls / shown).explore();
    std::ranges::move(made, std::back_inserter(all));
  }
  return all;
}

}  // namespace cupilot::judge::cases
