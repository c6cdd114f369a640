// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "evolution/judge/cases/evaluate_case.h"
#include "evolution/judge/cases/neighbours.h"
#include "evolution/judge/cases/shrink.h"

namespace cupilot::judge::cases {
namespace {

const spec::Parameter *parameter_named(const spec::KernelSpec &spec, const std::string &name) {
  const auto found = std::ranges::find(spec.parameters, name, &spec::Parameter::name);
  return found == spec.parameters.end() ? nullptr : &*found;
}

/// How families may change a buffer. They only change data that the kernel reads and whose fill the user left
/// free.
enum class Varied { no, floating, wide, integer };
Varied varied(const spec::KernelSpec &spec, const model::CaseBuffer &buffer) {
  const auto *parameter = parameter_named(spec, buffer.parameter);
  const bool read = buffer.role == spec::BufferRole::in || buffer.role == spec::BufferRole::inout;
  if (!parameter || !read) return Varied::no;
  const spec::FillKind fill = buffer.fill.kind;
  if (spec::is_floating(parameter->element)) {
    if (fill != spec::FillKind::automatic && fill != spec::FillKind::normal) return Varied::no;
    return parameter->element == spec::ElementType::f64 ? Varied::wide : Varied::floating;
  }
  const bool integer = parameter->element != spec::ElementType::opaque;
  return integer && (fill == spec::FillKind::automatic || fill == spec::FillKind::randint) ? Varied::integer
                                                                                           : Varied::no;
}

std::uint64_t bytes_of(const spec::KernelSpec &spec, const model::Case &one) {
  double total = 0;  // a double, since the sum may overflow 64 bits; it is only compared
  for (const auto &buffer : one.buffers) {
    const auto *parameter = parameter_named(spec, buffer.parameter);
    total +=
        static_cast<double>(buffer.elements) * static_cast<double>(parameter ? parameter->element_bytes : 1);
  }
  return total > 1e18 ? std::uint64_t(1e18) : static_cast<std::uint64_t>(total);
}

constexpr std::uint64_t kAllFamiliesBytes = 8u << 20;
/// Number of families besides `user`: for a small neighbour, and for a large workload.
constexpr std::size_t kNeighbourFamilies = 6, kLargeFamilies = 3;
/// The CPU executes about ten million elements per second with all checks on. With these caps all cases of a
/// candidate together take about a second.
constexpr WorkCap kWorkloadCap{5u << 18}, kNeighbourCap{5u << 14};
constexpr std::uint64_t kAllFamiliesElements = 1 << 16;
/// From this size a case takes a noticeable part of a second for every candidate.
constexpr std::uint64_t kLargeBytes = 64u << 20;

/// The families besides `user` that change something, those most likely to expose an error first. Subnormal
/// doubles are left out: legitimate rounding errors there are as large as the errors to be found.
std::vector<std::string> telling_families(const spec::KernelSpec &spec, const model::Case &one) {
  static const std::vector<std::string> of_floats{
      "normal",      "large_mean", "special",    "scaled_up", "ramp",        "one_hot",
      "scaled_down", "negative",   "heavy_tail", "unique",    "either_sign", "extreme",
      "zeros",       "infinities", "nans",       "plateaus",  "magnitudes",  "tile_edges"};
  static const std::vector<std::string> of_any{"sorted", "extreme", "constant"};
  const auto any = [&](Varied kind) {
    return std::ranges::any_of(one.buffers,
                               [&](const model::CaseBuffer &b) { return varied(spec, b) == kind; });
  };
  std::vector<std::string> families;
  const bool floats = any(Varied::floating) || any(Varied::wide), integers = any(Varied::integer);
  if (floats) families = of_floats;
  if (any(Varied::floating)) families.emplace_back("subnormal");
  if (floats) families.emplace_back("sorted");
  if (integers && !floats) families = of_any;
  if (integers && floats) families.emplace_back("constant");
  return families;
}

/// Takes `count` names, the `index`th group of them, and wraps around at the end.
std::vector<std::string> some(const std::vector<std::string> &all, std::size_t index, std::size_t count) {
  std::vector<std::string> chosen;
  for (std::size_t i = 0; i < std::min(count, all.size()); ++i)
    chosen.push_back(all[(index * count + i) % all.size()]);
  return chosen;
}

/// Small workloads are cheap and get every family. Small neighbours get some families in rotation, so that
/// together they cover all. Large workloads get the first few. A large neighbour gets `user` and one more,
/// also in rotation.
std::vector<std::string> families_of(const spec::KernelSpec &spec, const model::Case &one, bool neighbour,
                                     std::size_t index) {
  std::vector<std::string> families{"user"};
  auto others = telling_families(spec, one);
  if (others.empty()) return families;
  const bool small = bytes_of(spec, one) <= kAllFamiliesBytes;
  if (neighbour)
    others = some(others, index, small ? kNeighbourFamilies : 1);
  else if (!small)
    others.resize(std::min(others.size(), kLargeFamilies));
  families.insert(families.end(), others.begin(), others.end());
  return families;
}

bool same_values(const model::Case &a, const model::Case &b) {
  const auto elements = [](const model::CaseBuffer &x, const model::CaseBuffer &y) {
    return x.parameter == y.parameter && x.elements == y.elements && x.fill.kind == y.fill.kind &&
           x.fill.a == y.fill.a && x.fill.b == y.fill.b && x.fill.file == y.fill.file;
  };
  return a.scalars == b.scalars && a.grid == b.grid && a.block == b.block &&
         a.shared_bytes == b.shared_bytes && std::ranges::equal(a.buffers, b.buffers, elements);
}

/// On the CPU: the same families if they cost almost nothing, else `user` and one more in rotation.
std::vector<std::string> emulated_families(const spec::KernelSpec &spec, const model::Case &one,
                                           bool neighbour, std::size_t index) {
  auto all = families_of(spec, one, neighbour, index);
  std::uint64_t elements = 0;
  for (const auto &buffer : one.buffers) elements += buffer.elements;
  if (elements <= kAllFamiliesElements || all.size() <= 2) return all;
  return {all[0], all[1 + index % (all.size() - 1)]};
}

/// The largest divisor tried for assumptions such as n % 256 == 0.
constexpr std::int64_t kLargestStep = 256;

/// The case of the neighbour, unless it is not legal or already in the list. If an assumption such as n%4==0
/// forbids it, the nearest multiples of 2, 4, 8, ... below and above are tried; otherwise one clause would
/// exclude all neighbours.
std::optional<model::Case> new_neighbour(const std::vector<model::Case> &cases, const spec::KernelSpec &spec,
                                         const spec::Workload &workload, const Neighbour &neighbour) {
  const auto take = [&](const Overrides &values) -> std::optional<model::Case> {
    auto one = evaluate_case(spec, workload, values, neighbour.reals);
    if (!one ||
        std::ranges::any_of(cases, [&](const model::Case &other) { return same_values(other, *one); }))
      return std::nullopt;
    return std::move(*one);
  };
  if (auto one = take(neighbour.values); one || spec.assumptions.empty()) return one;
  for (std::int64_t step = 2; step <= kLargestStep; step *= 2)
    for (const bool up : {false, true}) {
      Overrides moved = neighbour.values;
      for (auto &[name, value] : moved) {
        const auto above = value % step;
        if (above > 0) value += up ? step - above : -above;
        value = value == 0 ? step : value;
      }
      if (auto one = take(moved)) return one;
    }
  return std::nullopt;
}

void add_neighbour(std::vector<model::Case> &cases, const spec::KernelSpec &spec,
                   const spec::Workload &workload, const Neighbour &neighbour, CaseCap cap) {
  auto one = new_neighbour(cases, spec, workload, neighbour);
  if (!one) return;
  one->id = fmt::format("{}/{}", workload.id, neighbour.suffix);
  one->families = cap == CaseCap::emulated ? emulated_families(spec, *one, true, cases.size())
                                           : families_of(spec, *one, true, cases.size());
  cases.push_back(std::move(*one));
}

/// Adds the case of one workload, and its stand-in if it is too large.
Result<void> add_workload(std::vector<model::Case> &cases, const spec::KernelSpec &spec,
                          const spec::Workload &workload, CaseCap cap) {
  CUPILOT_TRY(one, evaluate_case(spec, workload, {}));
  one.timed = !workload.check;
  if (cap == CaseCap::none) {
    one.families = families_of(spec, one, false, 0);
    cases.push_back(std::move(one));
    return {};
  }
  CUPILOT_TRY(shrunk, shrink(spec, workload, kWorkloadCap));
  if (!shrunk) {
    one.families = emulated_families(spec, one, false, cases.size());
    cases.push_back(std::move(one));
    return {};
  }
  one.verified = false;
  if (one.timed) cases.push_back(std::move(one));
  model::Case &small = cases.emplace_back(std::move(shrunk->which));
  small.id = workload.id + "/shrunk";
  small.shrunk = shrunk->text;
  small.families = emulated_families(spec, small, false, cases.size());
  return {};
}

/// What neighbours are taken around.
Result<spec::Workload> centre_of(const spec::KernelSpec &spec, const spec::Workload &workload, CaseCap cap) {
  if (cap == CaseCap::none) return workload;
  CUPILOT_TRY(shrunk, shrink(spec, workload, kNeighbourCap));
  return shrunk ? with_values(workload, shrunk->values) : workload;
}

}  // namespace

Result<std::vector<model::Case>> make_cases(const spec::KernelSpec &spec, std::uint64_t seed, CaseCap cap,
                                            CaseReader reader) {
  if (spec.workloads.empty())
    return user_error(
        fmt::format("the kernel '{}' has no workload; add a `#pragma cupilot workload` line", spec.name));
  std::vector<model::Case> cases;
  std::vector<spec::Workload> centres;
  std::vector<std::vector<Neighbour>> around;
  std::size_t longest = 0;
  // The seed depends on the index in the spec, so hold-outs in between do not change the primes around a
  // workload.
  for (std::size_t index = 0; index < spec.workloads.size(); ++index) {
    const spec::Workload &workload = spec.workloads[index];
    if (workload.holdout && reader == CaseReader::search) continue;
    const auto first = cases.size();
    CUPILOT_CHECKED(add_workload(cases, spec, workload, cap));
    CUPILOT_TRY(centre, centre_of(spec, workload, cap));
    const bool large = cap == CaseCap::none && bytes_of(spec, cases[first]) > kLargeBytes;
    const auto steps = large ? Steps::together : Steps::single;
    // The classes of scalars need to be seen once only.
    const auto scalars = around.empty() ? Scalars::all_classes : Scalars::other_values;
    around.push_back(neighbours_of(spec, centre, steps, scalars, seed + index));
    centres.push_back(std::move(centre));
    longest = std::max(longest, around.back().size());
  }
  // Takes the workloads in turn, so that each one gets its most important neighbours.
  const bool scalars = std::ranges::any_of(around.empty() ? std::vector<Neighbour>() : around.front(),
                                           [](const Neighbour &one) { return !one.reals.empty(); });
  const auto most = cases.size() + kMaxNeighbours + (scalars ? kScalarNeighbours : 0);
  for (std::size_t rank = 0; rank < longest; ++rank)
    for (std::size_t w = 0; w < around.size() && cases.size() < most; ++w)
      if (rank < around[w].size()) add_neighbour(cases, spec, centres[w], around[w][rank], cap);
  return cases;
}

}  // namespace cupilot::judge::cases
