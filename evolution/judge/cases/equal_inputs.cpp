// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/equal_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/cases/evaluate_case.h"
#include "evolution/judge/cases/neighbours.h"
#include "evolution/judge/cases/shrink.h"
#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::cases {
namespace {

/// Elements between the starts of two inputs that overlap by a half: aligned as each of them is.
constexpr std::uint64_t kFarUnit = 64;

bool is_read(const model::CaseBuffer &buffer) {
  return (buffer.role == spec::BufferRole::in || buffer.role == spec::BufferRole::inout) &&
         buffer.elements > 0 && buffer.fill.kind != spec::FillKind::file;
}

/// Two that are only read may be one whatever the signature says.
bool may_share(const spec::KernelSpec &spec, const model::CaseBuffer &a, const model::CaseBuffer &b) {
  if (a.role == spec::BufferRole::in && b.role == spec::BufferRole::in) return true;
  return a.role != b.role && std::ranges::none_of(spec.parameters, [&](const spec::Parameter &p) {
           return (p.name == a.parameter || p.name == b.parameter) && p.restrict_qualified;
         });
}

/// With another fill the data of one may break what the kernel expects of the other.
bool same_fill(const spec::Fill &a, const spec::Fill &b) {
  return a.kind == b.kind && a.a == b.a && a.b == b.b;
}

std::string element_of(const spec::KernelSpec &spec, const std::string &name) {
  const auto found = std::ranges::find(spec.parameters, name, &spec::Parameter::name);
  return found == spec.parameters.end() ? "" : found->element_type;
}

/// Data of which each element is drawn by itself: no property of the whole is lost where another buffer's
/// stand in their place.
bool is_drawn_alone(const spec::Fill &fill) {
  using enum spec::FillKind;
  return fill.kind == automatic || fill.kind == normal || fill.kind == uniform || fill.kind == randint;
}

void keep_some(std::vector<model::Case> &cases, std::size_t most, std::uint64_t seed) {
  if (cases.size() <= most) return;
  std::ranges::rotate(cases, cases.begin() + static_cast<std::ptrdiff_t>(seed % cases.size()));
  cases.resize(most);
}

/// The workload's own sizes, and all sizes the same.
std::vector<Overrides> sizes_of_equal_inputs(const spec::KernelSpec &spec, const spec::Workload &workload) {
  std::vector<Overrides> sizes{{}};
  const auto names = shape_names_of(spec, workload);
  if (names.empty()) return sizes;
  const auto least = std::max<std::int64_t>(std::ranges::min(names, {}, &ShapeName::value).value, 1);
  for (const std::uint64_t value : {std::uint64_t(least), std::bit_floor(std::uint64_t(least))}) {
    Overrides &all = sizes.emplace_back();
    for (const auto &name : names) all[name.name] = static_cast<std::int64_t>(value);
  }
  return sizes;
}

bool is_updated(const model::Case &one, const std::string &parameter) {
  return std::ranges::any_of(one.buffers, [&](const model::CaseBuffer &buffer) {
    return buffer.parameter == parameter && buffer.role == spec::BufferRole::inout;
  });
}

/// Whether the first of the pair has other data in this family.
bool takes(const std::string &family, const spec::KernelSpec &spec, const model::Case &one,
           const InputPair &pair) {
  const auto parameter = std::ranges::find(spec.parameters, pair.first, &spec::Parameter::name);
  return std::ranges::any_of(one.buffers, [&](const model::CaseBuffer &buffer) {
    return buffer.parameter == pair.first && !(buffer.finite && data::has_non_finite(family)) &&
           data::family_changes(family, buffer.fill, element_lanes(*parameter).type);
  });
}

}  // namespace

std::vector<InputPair> equal_inputs_of(const spec::KernelSpec &spec, const model::Case &one) {
  std::vector<InputPair> pairs;
  for (std::size_t i = 0; i < one.buffers.size(); ++i)
    for (std::size_t j = i + 1; j < one.buffers.size(); ++j) {
      const model::CaseBuffer &a = one.buffers[i], &b = one.buffers[j];
      const bool alike = is_read(a) && is_read(b) && a.elements == b.elements && same_fill(a.fill, b.fill) &&
                         element_of(spec, a.parameter) == element_of(spec, b.parameter);
      if (!alike || !may_share(spec, a, b)) continue;
      const bool turned = a.role == spec::BufferRole::inout;
      pairs.push_back({turned ? b.parameter : a.parameter, turned ? a.parameter : b.parameter});
    }
  return pairs;
}

model::Case with_equal_inputs(model::Case one, const InputPair &pair) {
  one.id = fmt::format("{}/{}={}", one.workload, pair.second, pair.first);
  one.families = {"user"};
  one.timed = false;
  one.once = true;
  for (model::CaseBuffer &buffer : one.buffers)
    if (buffer.parameter == pair.second) buffer.same_as = pair.first;
  return one;
}

Result<std::vector<model::Case>> equal_input_cases(const spec::KernelSpec &spec,
                                                   const spec::Workload &workload, std::uint64_t seed) {
  CUPILOT_TRY(small, shrunk_workload(spec, workload, kNeighbourCap));
  std::vector<InputPair> done;
  std::vector<model::Case> found;
  for (const Overrides &values : sizes_of_equal_inputs(spec, small)) {
    const auto one = evaluate_case(spec, small, values, nonzero_scalars_of(spec, small));
    if (!one) continue;
    for (const InputPair &pair : equal_inputs_of(spec, *one)) {
      if (!values.empty() && is_updated(*one, pair.second)) continue;  // lengths that are the same by chance
      if (std::ranges::find(done, pair) != done.end()) continue;
      done.push_back(pair);
      found.push_back(with_equal_inputs(*one, pair));
      // The difference of two infinities that are one and the same is NaN.
      if (takes("infinities", spec, *one, pair)) found.back().families.emplace_back("infinities");
    }
  }
  keep_some(found, kMostEqualInputs, seed);
  return found;
}

model::Case with_overlapping_inputs(model::Case one, const InputPair &pair, std::uint64_t begins) {
  one = with_equal_inputs(std::move(one), pair);
  one.id += fmt::format("+{}", begins);
  for (model::CaseBuffer &buffer : one.buffers)
    if (buffer.parameter == pair.second) buffer.begins = begins;
  return one;
}

Result<std::vector<model::Case>> overlapping_input_cases(const spec::KernelSpec &spec,
                                                         const spec::Workload &workload, std::uint64_t seed) {
  CUPILOT_TRY(small, shrunk_workload(spec, workload, kNeighbourCap));
  const auto one = evaluate_case(spec, small, {}, nonzero_scalars_of(spec, small));
  std::vector<model::Case> found;
  if (!one) return found;
  for (const model::CaseBuffer &a : one->buffers)
    for (const model::CaseBuffer &b : one->buffers) {
      const bool may = &a != &b && a.role == spec::BufferRole::in && b.role == spec::BufferRole::in &&
                       is_drawn_alone(a.fill) && same_fill(a.fill, b.fill) && a.elements > 1 &&
                       b.elements > 0 && element_of(spec, a.parameter) == element_of(spec, b.parameter);
      if (!may) continue;
      const InputPair pair{a.parameter, b.parameter};
      for (const std::uint64_t begins : {std::uint64_t{1}, a.elements / 2 / kFarUnit * kFarUnit}) {
        if (begins == 0) continue;
        found.push_back(with_overlapping_inputs(*one, pair, begins));
        // Data above zero: no output hides what one element is.
        if (takes("large_mean", spec, *one, pair)) found.back().families.emplace_back("large_mean");
      }
    }
  keep_some(found, kMostOverlapping, seed);
  return found;
}

}  // namespace cupilot::judge::cases
