// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/no_worse.h"

#include <algorithm>
#include <cmath>

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

/// Whether `got` may stand where the original has `original`.
bool passes(double original, double exact, double got, double rounding, double own) {
  if (!std::isfinite(exact)) return is_same(original, got);
  if (!std::isfinite(got)) return is_same(original, got);
  return std::abs(got - exact) <= rounding + (std::isfinite(original) ? kOwnMax * own : 0);
}

}  // namespace

bool is_no_worse(spec::ElementType type, std::span<const std::byte> original, std::span<const float> exact,
                 std::span<const std::byte> got) {
  const double rms = root_mean_square(exact), least = kLeastMaxEps * data::type_eps(type);
  return data::with_load(type, [&](auto load) {
    const std::size_t size = data::traits_of(type).size;
    const auto look = [&](std::size_t begin, std::size_t end, ComparedPart &part) {
      double own = 0;
      for (std::size_t i = begin; i < end; ++i) {
        if (i == begin || i % kNeighbours == 0) {
          own = 0;
          const std::size_t first = i / kNeighbours * kNeighbours;
          for (std::size_t k = first; k < std::min(first + kNeighbours, exact.size()); ++k) {
            const double error = std::abs(double{load(&original[k * size])} - exact[k]);
            if (std::isfinite(error)) own = std::max(own, error);
          }
        }
        const double rounding = least * (std::abs(double{exact[i]}) + rms);
        part.wrong += !passes(load(&original[i * size]), exact[i], load(&got[i * size]), rounding, own);
      }
    };
    return std::ranges::none_of(in_parts(exact.size(), 0, look),
                                [](const ComparedPart &part) { return part.wrong > 0; });
  });
}

}  // namespace cupilot::judge::correct
