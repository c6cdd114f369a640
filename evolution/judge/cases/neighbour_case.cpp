// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/neighbour_case.h"

#include <algorithm>
#include <cstdint>

#include "evolution/judge/cases/evaluate_case.h"

namespace cupilot::judge::cases {
namespace {

/// The largest divisor tried for assumptions such as n % 256 == 0.
constexpr std::int64_t kLargestStep = 256;

}  // namespace

bool same_values(const model::Case &a, const model::Case &b) {
  const auto elements = [](const model::CaseBuffer &x, const model::CaseBuffer &y) {
    return x.parameter == y.parameter && x.elements == y.elements && x.fill.kind == y.fill.kind &&
           x.fill.a == y.fill.a && x.fill.b == y.fill.b && x.fill.file == y.fill.file;
  };
  return a.scalars == b.scalars && a.grid == b.grid && a.block == b.block &&
         a.shared_bytes == b.shared_bytes && std::ranges::equal(a.buffers, b.buffers, elements);
}

std::optional<model::Case> new_neighbour(const std::vector<model::Case> &cases, const spec::KernelSpec &spec,
                                         const spec::Workload &workload, Neighbour &neighbour) {
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
      if (auto one = take(moved)) {
        neighbour.values = std::move(moved);
        return one;
      }
    }
  return std::nullopt;
}

}  // namespace cupilot::judge::cases
