// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/drawn_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "evolution/judge/cases/drawn_sizes.h"
#include "evolution/judge/cases/neighbour_case.h"
#include "evolution/judge/cases/neighbours.h"
#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::cases {
namespace {

/// A size may be forbidden or in the list already; then another one is drawn.
constexpr int kDrawAttempts = 8;

void add_drawn_size(std::vector<model::Case> &cases, const spec::KernelSpec &spec,
                    const spec::Workload &workload, std::uint64_t seed, std::size_t index) {
  const auto names = shape_names_of(spec, workload);
  const auto scalars = scalars_of(spec, workload);
  for (int attempt = 0; attempt < kDrawAttempts && !names.empty(); ++attempt) {
    Neighbour drawn = drawn_size(names, seed, index, attempt);
    drawn.reals = drawn_scalars(scalars, seed, index, attempt);
    auto one = new_neighbour(cases, spec, workload, drawn);
    if (!one) continue;
    one->id = fmt::format("{}/{}", workload.id, size_text(names, drawn));
    for (const auto &[name, value] : drawn.reals) one->id += fmt::format(",{}={:.3g}", name, value);
    one->families = {"user"};
    one->once = true;
    cases.push_back(std::move(*one));
    return;
  }
}

}  // namespace

std::uint64_t secret_of(const Draw &draw) {
  return data::derived_seed(draw.seed, std::to_string(draw.secret));
}

void add_drawn_sizes(std::vector<model::Case> &cases, const spec::KernelSpec &spec,
                     const std::vector<Centre> &centres, const Draw &draw, CaseReader reader) {
  const std::size_t times = reader == CaseReader::finalist ? 2 : 1;
  const std::size_t share =
      std::max(kDrawnSizes / std::max<std::size_t>(centres.size(), 1), kLeastDrawnSizes);
  for (std::size_t index = 0; index < times * share; ++index)
    for (const Centre &centre : centres) {
      if (centre.large && index >= times * kLeastDrawnSizes) continue;
      const auto seed = data::derived_seed(secret_of(draw), "sizes of " + centre.workload.id);
      add_drawn_size(cases, spec, centre.workload, seed, index);
    }
}

}  // namespace cupilot::judge::cases
