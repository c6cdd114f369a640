// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/no_worse.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "evolution/judge/correct/compare_parts.h"
#include "evolution/judge/correct/compare_twin.h"
#include "evolution/judge/data/element_type.h"

namespace cupilot::judge::correct {

namespace {

double root_mean_square(std::span<const float> values) {
  double squares = 0, finite = 0;
  for (const double value : values)
    if (std::isfinite(value)) squares += value * value, ++finite;
  return finite > 0 ? std::sqrt(squares / finite) : 0;
}

bool is_same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// The original's errors: of each group of neighbours the largest, and the largest of all.
struct OwnErrors {
  std::vector<double> groups;
  double all = 0;
  template <class Load>
  OwnErrors(const Load &load, std::span<const float> exact) : groups(exact.size() / kNeighbours + 1) {
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double error = std::abs(load(i) - exact[i]);
      if (!std::isfinite(error)) continue;
      groups[i / kNeighbours] = std::max(groups[i / kNeighbours], error);
      all = std::max(all, error);
    }
  }
};

}  // namespace

bool is_no_worse(spec::ElementType type, std::span<const std::byte> original, std::span<const float> exact,
                 std::span<const std::byte> got) {
  const double rms = root_mean_square(exact), least = kLeastMaxEps * data::type_eps(type);
  return data::with_load(type, [&](auto load) {
    const std::size_t size = data::traits_of(type).size;
    const OwnErrors own([&](std::size_t i) { return double{load(&original[i * size])}; }, exact);
    const auto passes = [&](std::size_t i) {
      const double there = load(&original[i * size]), here = load(&got[i * size]);
      if (!std::isfinite(exact[i]) || !std::isfinite(here)) return is_same(there, here);
      const double error = std::isfinite(there) ? own.groups[i / kNeighbours] : own.all;
      return std::abs(here - exact[i]) <= least * (std::abs(double{exact[i]}) + rms) + kOwnMax * error;
    };
    const auto look = [&](std::size_t begin, std::size_t end, ComparedPart &part) {
      for (std::size_t i = begin; i < end; ++i) part.wrong += !passes(i);
    };
    return std::ranges::none_of(in_parts(exact.size(), 0, look),
                                [](const ComparedPart &part) { return part.wrong > 0; });
  });
}

}  // namespace cupilot::judge::correct
