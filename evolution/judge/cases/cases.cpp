// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "evolution/judge/cases/case_families.h"
#include "evolution/judge/cases/drawn_cases.h"
#include "evolution/judge/cases/equal_inputs.h"
#include "evolution/judge/cases/evaluate_case.h"
#include "evolution/judge/cases/neighbour_case.h"
#include "evolution/judge/cases/neighbours.h"
#include "evolution/judge/cases/other_content.h"
#include "evolution/judge/cases/shrink.h"

namespace cupilot::judge::cases {
namespace {

/// Number of families, `user` among them, where a scalar is zero, negative or large: all sizes are the
/// workload's, which has all families itself.
constexpr std::size_t kScalarFamilies = 3;
/// From this size a case takes a noticeable part of a second for every candidate.
constexpr std::uint64_t kLargeBytes = 64u << 20;
/// Around a large workload only sizes next to its own are as large. Other scalars, shapes and contents say
/// as much at this size.
constexpr WorkCap kModerateCap{4u << 20};

void add_neighbour(std::vector<model::Case> &cases, const spec::KernelSpec &spec,
                   const spec::Workload &workload, Neighbour neighbour, CaseCap cap) {
  auto one = new_neighbour(cases, spec, workload, neighbour);
  if (!one) return;
  one->id = fmt::format("{}/{}", workload.id, neighbour.suffix);
  one->families = families_of(spec, *one, {true, cases.size(), neighbour.families}, cap);
  one->once = neighbour.once;
  if (neighbour.once)
    one->families = neighbour.families;
  else if (!neighbour.reals.empty() && neighbour.suffix != "scalars")
    one->families.resize(std::min(one->families.size(), kScalarFamilies));
  cases.push_back(std::move(*one));
}

/// Adds the case of one workload, and its stand-in if it is too large.
Result<void> add_workload(std::vector<model::Case> &cases, const spec::KernelSpec &spec,
                          const spec::Workload &workload, CaseCap cap) {
  CUPILOT_TRY(one, evaluate_case(spec, workload, {}));
  one.timed = !workload.check;
  if (cap == CaseCap::none) {
    one.families = families_of(spec, one, {false, 0, {}}, cap);
    cases.push_back(std::move(one));
    return {};
  }
  CUPILOT_TRY(shrunk, shrink(spec, workload, kWorkloadCap));
  if (!shrunk) {
    one.families = families_of(spec, one, {false, cases.size(), {}}, cap);
    cases.push_back(std::move(one));
    return {};
  }
  one.verified = false;
  if (one.timed) cases.push_back(std::move(one));
  model::Case &small = cases.emplace_back(std::move(shrunk->which));
  small.id = workload.id + "/shrunk";
  small.shrunk = shrunk->text;
  small.families = families_of(spec, small, {false, cases.size(), {}}, cap);
  return {};
}

/// What neighbours are taken around.
Result<spec::Workload> centre_of(const spec::KernelSpec &spec, const spec::Workload &workload, CaseCap cap) {
  if (cap == CaseCap::none) return workload;
  return shrunk_workload(spec, workload, kNeighbourCap);
}

Result<spec::Workload> moderate(const spec::KernelSpec &spec, const Centre &centre) {
  if (!centre.large) return centre.workload;
  return shrunk_workload(spec, centre.workload, kModerateCap);
}

}  // namespace

Result<std::vector<model::Case>> make_cases(const spec::KernelSpec &spec, const Draw &draw, CaseCap cap,
                                            CaseReader reader) {
  if (spec.workloads.empty())
    return user_error(
        fmt::format("the kernel '{}' has no workload; add a `#pragma cupilot workload` line", spec.name));
  std::vector<model::Case> cases;
  std::vector<Centre> centres;
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
    around.push_back(neighbours_of(spec, centre, steps, scalars, draw.seed + index));
    centres.push_back({std::move(centre), large});
    CUPILOT_TRY(smaller, moderate(spec, centres.back()));
    centres.back().moderate = std::move(smaller);
    longest = std::max(longest, around.back().size());
  }
  // Takes the workloads in turn, so that each one gets its most important neighbours.
  const bool scalars = std::ranges::any_of(around.empty() ? std::vector<Neighbour>() : around.front(),
                                           [](const Neighbour &one) { return !one.reals.empty(); });
  const auto most = cases.size() + kMaxNeighbours + (scalars ? kScalarNeighbours : 0);
  for (std::size_t rank = 0; rank < longest; ++rank)
    for (std::size_t w = 0; w < around.size() && cases.size() < most; ++w) {
      if (rank >= around[w].size()) continue;
      const bool sizes = around[w][rank].reals.empty();
      add_neighbour(cases, spec, sizes ? centres[w].workload : centres[w].moderate, around[w][rank], cap);
    }
  if (!centres.empty()) {
    const spec::Workload &first = centres.front().moderate;
    for (const Neighbour &one : special_shapes_of(spec, first, secret_of(draw)))
      add_neighbour(cases, spec, first, one, cap);
    CUPILOT_TRY(equal, equal_input_cases(spec, first, secret_of(draw)));
    std::ranges::move(equal, std::back_inserter(cases));
    CUPILOT_TRY(overlapping, overlapping_input_cases(spec, first, secret_of(draw)));
    std::ranges::move(overlapping, std::back_inserter(cases));
    CUPILOT_TRY(refilled, other_content_cases(spec, first));
    std::ranges::move(refilled, std::back_inserter(cases));
  }
  add_drawn_sizes(cases, spec, centres, draw, reader);
  return cases;
}

}  // namespace cupilot::judge::cases
