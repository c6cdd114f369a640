// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/compare_twin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "annotate/support/half.h"
#include "evolution/judge/correct/compare_parts.h"
#include "evolution/judge/data/element_type.h"

namespace cupilot::judge::correct {

namespace {

constexpr std::uint16_t kNoNumber = 0x7fc0;  // NaN in bf16

double load_double(std::span<const std::byte> values, std::size_t index) {
  double value;
  std::memcpy(&value, &values[index * sizeof value], sizeof value);
  return value;
}

struct Sums {
  double squares = 0, allowed_squares = 0, worst = 0, share = 0, worst_small = 0;
  std::size_t finite = 0, worst_index = 0, wrong = 0, missing = 0, vanished = 0, beside = 0, small_index = 0;
  double rms() const { return finite ? std::sqrt(squares / static_cast<double>(finite)) : 0; }
};

Sums sum_of(const std::vector<ComparedPart> &parts) {
  Sums sums;
  double worst = -1;
  for (const ComparedPart &part : parts) {
    sums.squares += part.squares, sums.allowed_squares += part.allowed_squares;
    sums.finite += part.finite, sums.wrong += part.wrong, sums.missing += part.missing;
    sums.share = std::max(sums.share, part.share);
    sums.vanished += part.vanished, sums.beside += part.beside;
    if (part.worst_small > sums.worst_small)
      sums.worst_small = part.worst_small, sums.small_index = part.small_index;
    if (part.worst <= worst) continue;
    worst = part.worst, sums.worst_index = part.worst_index;
  }
  sums.worst = std::max(0.0, worst);
  return sums;
}

/// Root mean square of a(i) over the elements where a(i) and b(i) are both finite.
template <class A, class B>
double root_mean_square(std::size_t n, unsigned threads, const A &a, const B &b) {
  return sum_of(in_parts(n, threads,
                         [&](std::size_t begin, std::size_t end, ComparedPart &part) {
                           for (std::size_t i = begin; i < end; ++i) {
                             const double value = a(i);
                             if (std::isfinite(value) && std::isfinite(b(i)))
                               part.squares += value * value, ++part.finite;
                           }
                         }))
      .rms();
}

/// RMS distance relative to `rms`, and the largest relative to |exact| + rms.
CompareLimits relative_to(double rms, const Sums &sums) {
  return {rms > 0 ? sums.rms() / rms : 0, sums.worst};
}

template <class Exact, class Other>
CompareLimits distance(std::size_t n, unsigned threads, double rms, const Exact &exact, const Other &other) {
  const auto parts = in_parts(n, threads, [&](std::size_t begin, std::size_t end, ComparedPart &part) {
    for (std::size_t i = begin; i < end; ++i) {
      const double a = exact(i), b = other(i);
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      const double difference = std::abs(a - b);
      part.squares += difference * difference, ++part.finite;
      part.note_worst(difference, std::abs(a) + rms, i);
    }
  });
  return relative_to(rms, sum_of(parts));
}

/// Of the elements around one.
struct Neighbours {
  double rms = 0, own = 0;  ///< of exact values; the original's largest error
};

/// The expected value of one element and the allowed deviation.
struct Rule {
  const data::TypeTraits &type;
  double smallest;   ///< of the numbers that have to keep their size
  bool keeps_sizes;  ///< see compare_twin.h
  const KeptTwin &twin;
  CompareLimits limits;
  spec::Precision precision;
  double flushed;

  double exact(double original, std::size_t index) const {
    const double difference = float_from_bf16(twin.difference[index]);
    return std::isnan(difference) ? original : original + difference * twin.unit;
  }
  double allowed(double exact_value) const {
    const double strict = limits.max * (std::abs(exact_value) + twin.rms);
    if (precision.kind != spec::PrecisionKind::relaxed) return strict;
    return std::max(strict, precision.absolute + precision.relative * std::abs(exact_value));
  }
  /// The deviation as a share of what small neighbours allow; 0 where they are no measure.
  double neighbours_share(double exact_value, double difference, const Neighbours &near) const {
    if (near.rms == 0) return 0;
    return difference /
           (kNeighboursLimit * limits.max * (std::abs(exact_value) + near.rms) + kNeighboursOwn * near.own);
  }
  bool measures_by_neighbours() const {
    return precision.kind == spec::PrecisionKind::same && twin.numbers >= kFewNeighbours && !twin.cancels;
  }
  /// Of the element at `index`; none where they are not small, or one of them does not count.
  template <class Load>
  Neighbours neighbours(const Load &load, std::span<const std::byte> original, std::size_t index) const {
    const std::size_t begin = index / kNeighbours * kNeighbours,
                      end = std::min(begin + kNeighbours, original.size() / type.size);
    const auto count = static_cast<double>(end - begin);
    const double most = std::pow(kSmallNeighbours * twin.rms, 2) * count;
    double squares = 0, own = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double difference = float_from_bf16(twin.difference[i]) * twin.unit;
      const double value = load(&original[i * type.size]) + difference;
      squares += value * value, own = std::max(own, std::abs(difference));
      if (squares >= most || !(std::abs(value) * type.eps >= smallest)) return {};
    }
    return {std::sqrt(squares / count), own};
  }
  /// How much of its size the element has lost or won, as a share of what it may.
  double size_share(double exact_value, double difference) const {
    const double size = std::abs(exact_value);
    return keeps_sizes && size >= smallest ? difference / (kKeptShare * size) : 0;
  }
};

const Overflowed *overflow_at(const KeptTwin &twin, std::size_t index) {
  const auto found = std::ranges::lower_bound(twin.overflowed, index, {}, &Overflowed::index);
  return found != twin.overflowed.end() && found->index == index ? &*found : nullptr;
}

/// Whether the rules for overflow let the element pass; see the head of compare_twin.h.
bool passes_by_overflow(const Rule &rule, double original, double got, std::size_t index) {
  const bool widened = rounds_operands(rule.precision);
  const Overflowed *known = overflow_at(rule.twin, index);
  if (widened && !std::isfinite(got) && (!std::isfinite(original) || (known && known->rounded))) return true;
  return known && std::isfinite(got) && !std::isfinite(original) && std::isfinite(known->exact) &&
         std::abs(got - known->exact) <= rule.allowed(known->exact);
}

bool same_class(double original, double got) {
  if (std::isnan(original) || std::isnan(got)) return std::isnan(original) && std::isnan(got);
  return original == got;
}

void look_at(const Rule &rule, double original, double got, std::size_t index, const Neighbours &near,
             ComparedPart &part) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double share = 0;  // deviation as a share of the allowed one
  if (!std::isfinite(original) || !std::isfinite(got)) {
    const bool passes = same_class(original, got) || passes_by_overflow(rule, original, got, index);
    share = passes ? 0 : kInfinity;
    if (!passes && std::isnan(got) && !std::isnan(original)) ++part.missing;
  } else {
    const double exact = rule.exact(original, index);
    const double difference = beyond(std::abs(got - exact), rule.flushed);
    const double allowed = rule.allowed(exact);
    share = difference == 0 ? 0 : allowed > 0 ? difference / allowed : kInfinity;
    const double vanished = rule.size_share(exact, difference),
                 beside = rule.neighbours_share(exact, difference, near), small = std::max(vanished, beside);
    part.vanished += share <= 1 && vanished > 1;
    part.beside += share <= 1 && vanished <= 1 && beside > 1;
    if (small > part.worst_small) part.worst_small = small, part.small_index = index;
    part.squares += difference * difference, part.allowed_squares += allowed * allowed, ++part.finite;
  }
  part.wrong += share > 1;
  if (share > part.worst) part.worst = share, part.worst_index = index;
}

/// What look_at finds in the original's own output, for all of it: an elementwise variant often has the same
/// bits.
Sums own_deviations(const Rule &rule, std::span<const std::byte> original) {
  const KeptTwin &twin = rule.twin;
  Sums sums;
  sums.worst_index = twin.own_index;
  if (twin.numbers == 0) return sums;
  ComparedPart worst;
  const double there = rule.type.load(&original[twin.own_index * rule.type.size]);
  look_at(rule, there, there, twin.own_index, {}, worst);
  sums.worst = std::clamp(worst.worst, 0.0, 1.0);
  sums.finite = twin.numbers;
  sums.squares = std::pow(twin.own.rms * twin.rms, 2) * static_cast<double>(twin.numbers);
  return sums;
}

Sums deviations(const Rule &rule, std::span<const std::byte> original, std::span<const std::byte> got,
                unsigned threads) {
  const std::size_t size = rule.type.size;
  if (rule.precision.kind != spec::PrecisionKind::relaxed &&
      std::memcmp(original.data(), got.data(), original.size()) == 0)
    return own_deviations(rule, original);
  return data::with_load(rule.type.type, [&](auto load) {
    const auto look = [&](std::size_t begin, std::size_t end, ComparedPart &part) {
      Neighbours near;
      for (std::size_t i = begin; i < end; ++i) {
        if (rule.measures_by_neighbours() && (i == begin || i % kNeighbours == 0))
          near = rule.neighbours(load, original, i);
        look_at(rule, load(&original[i * size]), load(&got[i * size]), i, near, part);
      }
    };
    return sum_of(in_parts(original.size() / size, threads, look));
  });
}

/// See twin_change.
double rounding_of(const RoundedOutputs &outputs, std::size_t index) {
  const double exact = load_double(outputs.exact, index);
  const double together = load_double(outputs.rounded, index) - exact;
  double rest = together, squares = 0;
  for (const auto &alone : outputs.alone) {
    const double one = load_double(alone, index) - exact;
    squares += one * one, rest -= one;
  }
  return std::max(std::abs(together), std::sqrt(squares + rest * rest));
}

std::string widened_by(const spec::Precision &precision) {
  switch (precision.kind) {
    case spec::PrecisionKind::same:
      return "";
    case spec::PrecisionKind::relaxed:
      return fmt::format(", more than {} allows", spec::to_string(precision));
    default:
      return fmt::format(", more than rounding the operands to {} changes", spec::to_string(precision));
  }
}

/// The reason as text: first the numbers, then what they mean.
std::string explained(const CompareResult &result, const spec::Precision &precision) {
  const model::OutputError &error = result.error;
  const std::string place = fmt::format("element {}", error.worst_index);
  if (result.missing && std::isnan(error.got))
    return fmt::format(
        "{} of {} elements are NaN where the original has a number (never written, or computed from bytes "
        "outside the inputs); first of the worst: {}",
        result.missing, result.elements, place);
  const std::string rms = fmt::format(
      "{} root mean square error against the double-precision twin; the original's own is {}, allowed {}",
      error_number(error.rms), error_number(error.own_rms), error_number(error.rms_limit));
  // Larger errors are a wrong result, not a lack of precision.
  constexpr double kClearlyWrong = 1e-2;
  const bool imprecise = error.rms < kClearlyWrong && error.max < kClearlyWrong && std::isfinite(error.got);
  if (!imprecise || error.rms <= error.rms_limit) {
    std::string text =
        fmt::format("{} of {} elements are wrong; {} is {}, expected {}", result.wrong, result.elements,
                    place, compared_number(error.got), compared_number(error.expected));
    if (std::isfinite(error.max))
      text +=
          fmt::format(", relative deviation {}, allowed {} (the original's own: {})", error_number(error.max),
                      error_number(error.max_limit), error_number(error.own_max));
    if (imprecise) text += "; " + rms;
    return text;
  }
  return fmt::format("{}{}: less precise arithmetic than the original's{}", rms, widened_by(precision),
                     precision.kind == spec::PrecisionKind::same ? "" : " under this clause");
}

/// `load`: see data::with_load.
template <class Load>
KeptTwin keep_loaded(spec::ElementType type, const Load &load, std::span<const std::byte> original,
                     std::span<const std::byte> twin, unsigned threads) {
  const std::size_t size = data::traits_of(type).size, n = original.size() / size;
  const double smallest = data::smallest_normal(type);
  const auto exact = [&](std::size_t i) { return load_double(twin, i); };
  const auto rounded = [&](std::size_t i) { return load(&original[i * size]); };
  KeptTwin kept;
  kept.rms = root_mean_square(n, threads, exact, rounded);
  kept.unit = kept.rms > 0 ? kept.rms : 1;
  kept.difference.resize(n);
  const auto parts = in_parts(n, threads, [&](std::size_t begin, std::size_t end, ComparedPart &part) {
    for (std::size_t i = begin; i < end; ++i) {
      const double a = exact(i), b = rounded(i);
      if (!std::isfinite(a) || !std::isfinite(b)) {
        kept.difference[i] = kNoNumber;
        continue;
      }
      const double difference = std::abs(a - b), own = std::abs(a);
      part.squares += difference * difference, ++part.finite;
      part.note_worst(difference, own + kept.rms, i);
      // Infinite where a number stands for a zero, as what is left of equal numbers does.
      if (std::max(own, std::abs(b)) >= smallest && difference > part.share * own)
        part.share = difference / own;
      kept.difference[i] = bf16_from_float(static_cast<float>((a - b) / kept.unit));
    }
  });
  const Sums sums = sum_of(parts);
  kept.own = relative_to(kept.rms, sums), kept.own_index = sums.worst_index;
  kept.own_share = sums.share;
  kept.numbers = sums.finite;
  return kept;
}

}  // namespace

KeptTwin keep_twin(spec::ElementType type, std::span<const std::byte> original,
                   std::span<const std::byte> twin, unsigned threads) {
  return data::with_load(type, [&](auto load) { return keep_loaded(type, load, original, twin, threads); });
}

double moved_share(spec::ElementType type, double rms, std::span<const std::byte> original,
                   std::span<const std::byte> moved, unsigned threads) {
  return data::with_load(type, [&](auto load) {
    const std::size_t size = data::traits_of(type).size;
    const double smallest = data::smallest_normal(type), small = kSmallNeighbours * rms;
    const auto look = [&](std::size_t begin, std::size_t end, ComparedPart &part) {
      for (std::size_t i = begin; i < end; ++i) {
        const double a = load(&original[i * size]), b = load(&moved[i * size]);
        const double most = std::max(std::abs(a), std::abs(b));
        // Compared in this way neither counts where it is NaN.
        if (most >= smallest && most < small) part.share = std::max(part.share, std::abs(a - b) / most);
      }
    };
    return sum_of(in_parts(original.size() / size, threads, look)).share;
  });
}

bool rounds_once(spec::ElementType type, const KeptTwin &twin) {
  constexpr double kHalfUnit = 0.5001;
  return twin.numbers >= kFewNumbers && twin.own_share <= kHalfUnit * data::type_eps(type);
}

std::vector<Overflowed> find_overflowed(spec::ElementType type, std::span<const std::byte> original,
                                        std::span<const std::byte> twin, std::span<const std::byte> rounded) {
  return data::with_load(type, [&](auto load) {
    const std::size_t size = data::traits_of(type).size, n = original.size() / size;
    const auto rounded_at = [&](std::size_t i) {
      return !rounded.empty() && !std::isfinite(load_double(rounded, i));
    };
    const auto counts = [&](std::size_t i) {
      return rounded_at(i) ||
             (!std::isfinite(load(&original[i * size])) && std::isfinite(load_double(twin, i)));
    };
    const Sums any = sum_of(in_parts(n, 0, [&](std::size_t begin, std::size_t end, ComparedPart &part) {
      for (std::size_t i = begin; i < end; ++i) part.missing += counts(i);
    }));
    std::vector<Overflowed> found;
    for (std::size_t i = 0; found.size() < any.missing; ++i)
      if (counts(i)) {
        const double exact = load_double(twin, i);
        found.push_back(
            {i, rounded_at(i), std::isfinite(exact) ? exact : std::numeric_limits<double>::quiet_NaN()});
      }
    return found;
  });
}

CompareLimits twin_change(spec::ElementType type, std::span<const std::byte> original,
                          const RoundedOutputs &outputs, unsigned threads) {
  const data::TypeTraits &known = data::traits_of(type);
  const std::size_t n = outputs.exact.size() / sizeof(double);
  const auto a = [&](std::size_t i) {
    const bool counts = std::isfinite(known.load(&original[i * known.size]));
    return counts ? load_double(outputs.exact, i) : std::numeric_limits<double>::quiet_NaN();
  };
  const auto rounded = [&](std::size_t i) { return load_double(outputs.rounded, i); };
  const auto moved = [&](std::size_t i) { return a(i) + rounding_of(outputs, i); };
  return distance(n, threads, root_mean_square(n, threads, a, rounded), a, moved);
}

bool rounds_operands(const spec::Precision &precision) {
  return precision.kind == spec::PrecisionKind::tf32 || precision.kind == spec::PrecisionKind::half ||
         precision.kind == spec::PrecisionKind::bf16;
}

bool keeps_sizes(spec::ElementType type, const KeptTwin &twin, const spec::Precision &precision) {
  const bool by_luck = twin.least.max > 0 && twin.numbers < kFewNumbers;
  return precision.kind == spec::PrecisionKind::same && !by_luck && !twin.cancels &&
         twin.own_share <= std::max(kOwnShare, kOwnShareEps * data::type_eps(type));
}

CompareLimits twin_limits(spec::ElementType type, const KeptTwin &twin, spec::PrecisionKind allowed) {
  const double eps = data::type_eps(type);
  const bool widened = rounds_operands({allowed, 0, 0});
  const CompareLimits own{std::max(twin.own.rms, widened ? twin.change.rms : 0),
                          std::max(twin.own.max, widened ? twin.change.max : 0)};
  // If the original rounds only once, to the output's type, a candidate may not round earlier.
  const bool narrow = type == spec::ElementType::f16 || type == spec::ElementType::bf16;
  if (narrow && !widened && twin.numbers >= kFewNumbers && own.rms <= kOneRoundingEps * eps)
    return {std::max({kOwnOneRounding * own.rms, twin.least.rms, twin.moved.rms}),
            std::max({kOwnMax * own.max, kLeastNarrowMaxEps * eps, twin.least.max, twin.moved.max})};
  const double least_rms = narrow ? kLeastNarrowRmsEps : kLeastRmsEps;
  const double least_max = narrow ? kLeastNarrowMaxEps : kLeastMaxEps;
  return {std::max({kOwnRms * own.rms, least_rms * eps, twin.least.rms, twin.moved.rms}),
          std::max({kOwnMax * own.max, least_max * eps, twin.least.max, twin.moved.max})};
}

CompareResult compare_with_twin(spec::ElementType type, std::span<const std::byte> original,
                                const KeptTwin &twin, std::span<const std::byte> got,
                                const spec::Precision &precision, double flushed, unsigned threads) {
  const data::TypeTraits &known = data::traits_of(type);
  CompareResult result;
  result.elements = original.size() / known.size;
  const Rule rule{known,
                  data::smallest_normal(type),
                  keeps_sizes(type, twin, precision),
                  twin,
                  twin_limits(type, twin, precision.kind),
                  precision,
                  flushed};
  Sums sums = deviations(rule, original, got, threads);
  const std::size_t by_chance =
      result.elements >= kManyNumbers ? kSmallByChance + result.elements / kRareChance : 0;
  if (sums.vanished > by_chance || sums.beside > result.elements / kFewBeside) {
    sums.wrong += sums.vanished + sums.beside;
    if (sums.worst <= 1) sums.worst = sums.worst_small, sums.worst_index = sums.small_index;
  }
  result.wrong = sums.wrong, result.missing = sums.missing;
  if (result.elements == 0) return result;
  model::OutputError &error = result.error;
  error.worst_index = sums.worst_index;
  error.own_rms = twin.own.rms, error.own_max = twin.own.max;
  const double first = known.load(&original[error.worst_index * known.size]);
  error.expected = std::isfinite(first) ? rule.exact(first, error.worst_index) : first;
  error.got = known.load(&got[error.worst_index * known.size]);
  const double scale = std::abs(error.expected) + twin.rms;
  const double infinity = std::numeric_limits<double>::infinity();
  error.max = sums.worst == 0 ? 0 : scale > 0 ? std::abs(error.got - error.expected) / scale : infinity;
  if (std::isnan(error.max)) error.max = sums.worst > 1 ? infinity : 0;
  error.max_limit =
      scale > 0 && std::isfinite(scale) ? rule.allowed(error.expected) / scale : rule.limits.max;
  error.rms = twin.rms > 0 ? sums.rms() / twin.rms : 0;
  error.rms_limit = rule.limits.rms;
  if (precision.kind == spec::PrecisionKind::relaxed && twin.rms > 0 && sums.finite)
    error.rms_limit = std::max(error.rms_limit,
                               std::sqrt(sums.allowed_squares / static_cast<double>(sums.finite)) / twin.rms);
  result.ok = result.wrong == 0 && error.rms <= error.rms_limit;
  if (!result.ok) result.reason = explained(result, precision);
  if (result.wrong && error.max <= error.max_limit && std::isfinite(error.got))
    result.reason += fmt::format(
        "; a number that small has to keep its size, as the original's do, each within {} of its own, or is "
        "measured by its neighbours, which are as small",
        error_number(std::max(twin.own_share, data::type_eps(type))));
  return result;
}

}  // namespace cupilot::judge::correct
