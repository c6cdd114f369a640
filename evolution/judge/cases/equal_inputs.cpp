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

/// The difference of two infinities that are one and the same is NaN.
bool takes_infinities(const spec::KernelSpec &spec, const model::Case &one, const InputPair &pair) {
  const auto parameter = std::ranges::find(spec.parameters, pair.first, &spec::Parameter::name);
  return std::ranges::any_of(one.buffers, [&](const model::CaseBuffer &buffer) {
    return buffer.parameter == pair.first && !buffer.finite &&
           data::family_changes("infinities", buffer.fill, element_lanes(*parameter).type);
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
      if (takes_infinities(spec, *one, pair)) found.back().families.emplace_back("infinities");
    }
  }
  if (found.size() > kMostEqualInputs) {
    const auto turn = static_cast<std::ptrdiff_t>(seed % found.size());
    std::ranges::rotate(found, found.begin() + turn);
    found.resize(kMostEqualInputs);
  }
  return found;
}

}  // namespace cupilot::judge::cases
