// SPDX-License-Identifier: Apache-2.0
//
// Two passes over the output in parallel parts: first the root mean square of the expected values, then the
// deviations relative to it.
#include "evolution/judge/correct/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "evolution/judge/correct/compare_parts.h"
#include "evolution/judge/correct/compare_twin.h"
#include "evolution/judge/data/element_type.h"

namespace cupilot::judge::correct {

namespace {

using Part = ComparedPart;

std::string number(double value) {
  return compared_number(value);
}

/// The deviation in the unit of the limit; infinite if the classes differ (NaN, infinity and its sign).
double deviation(double expected, double got, double rms, double flushed) {
  if (std::isnan(expected) || std::isnan(got)) return std::isnan(expected) == std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(expected) || std::isinf(got)) return expected == got ? 0 : INFINITY;
  const double difference = beyond(std::abs(got - expected), flushed);
  if (difference == 0) return 0;
  const double scale = std::abs(expected) + rms;
  return scale > 0 ? difference / scale : INFINITY;
}

void gather(CompareResult &result, const std::vector<Part> &parts, double &squares, std::size_t &finite) {
  double worst = -1;
  for (const Part &part : parts) {
    squares += part.squares;
    finite += part.finite;
    result.wrong += part.wrong;
    result.missing += part.missing;
    if (part.worst <= worst) continue;
    worst = part.worst;
    result.error.worst_index = part.worst_index;
  }
  result.error.max = std::max(0.0, worst);
}

void explain(CompareResult &result) {
  model::OutputError &error = result.error;
  const std::string place = fmt::format("element {}", error.worst_index);
  if (result.missing && std::isnan(error.got)) {
    result.reason = fmt::format(
        "{} of {} elements are NaN where the original has a number (never written, or computed from bytes "
        "outside the inputs); first of the worst: {}",
        result.missing, result.elements, place);
  } else if (result.wrong) {
    result.reason = fmt::format("{} of {} elements are wrong; {} is {}, expected {}", result.wrong,
                                result.elements, place, number(error.got), number(error.expected));
    if (error.max_limit > 0)
      result.reason +=
          fmt::format(", relative deviation {}, allowed {}", number(error.max), number(error.max_limit));
  } else {
    result.reason = fmt::format(
        "every element is within its own limit, but the root mean square error {} is over {}: less precise "
        "arithmetic than the original's",
        number(error.rms), number(error.rms_limit));
  }
}

CompareResult compare_exactly(const data::TypeTraits &type, std::span<const std::byte> expected,
                              std::span<const std::byte> got, unsigned threads) {
  CompareResult result;
  result.elements = expected.size() / type.size;
  if (std::memcmp(expected.data(), got.data(), expected.size()) == 0) return result;
  const auto parts = in_parts(result.elements, threads, [&](std::size_t begin, std::size_t end, Part &part) {
    for (std::size_t i = begin; i < end; ++i) {
      if (std::memcmp(&expected[i * type.size], &got[i * type.size], type.size) == 0) continue;
      ++part.wrong;
      const double distance = std::abs(type.load(&got[i * type.size]) - type.load(&expected[i * type.size]));
      const double difference = std::isnan(distance) ? INFINITY : distance;
      if (difference > part.worst) part.worst = difference, part.worst_index = i;
    }
  });
  double squares = 0;
  std::size_t finite = 0;
  gather(result, parts, squares, finite);
  result.ok = result.wrong == 0;
  return result;
}

/// As in compare_twin.h: which of NaN and the infinities an overflow gives depends on how operands are
/// rounded.
bool overflows_alike(const spec::Precision &precision, double want, double have) {
  return rounds_operands(precision) && !std::isfinite(want) && !std::isfinite(have);
}

/// Deviations that `relaxed` allows count as zero.
bool is_relaxed(const spec::Precision &precision, double want, double have) {
  return precision.kind == spec::PrecisionKind::relaxed && std::isfinite(want) && std::isfinite(have) &&
         std::abs(have - want) <= precision.absolute + precision.relative * std::abs(want);
}

/// A power of two by which the largest finite number is below 2.
template <class Load>
double unit_of(const Load &load, std::size_t size, std::span<const std::byte> values) {
  double largest = 0;
  for (std::size_t at = 0; at < values.size(); at += size)
    if (const double value = std::abs(double{load(&values[at])}); std::isfinite(value))
      largest = std::max(largest, value);
  return std::ldexp(1.0, -std::ilogb(largest));
}

/// `load`: see data::with_load.
template <class Load>
CompareResult compare_floating(const data::TypeTraits &type, const Load &load,
                               std::span<const std::byte> expected, std::span<const std::byte> got,
                               const CompareLimits &limits, const Conditioning &conditioning,
                               unsigned threads) {
  CompareResult result;
  result.elements = expected.size() / type.size;
  result.error.rms_limit = limits.rms;
  result.error.max_limit = limits.max;
  if (std::memcmp(expected.data(), got.data(), expected.size()) == 0) return result;
  double unit = 1, squares = 0;
  std::size_t finite = 0;
  const auto sum_squares = [&] {
    squares = 0, finite = 0;
    for (const Part &part :
         in_parts(result.elements, threads, [&](std::size_t begin, std::size_t end, Part &own) {
           for (std::size_t i = begin; i < end; ++i) {
             const double value = unit * load(&expected[i * type.size]);
             if (std::isfinite(value)) own.squares += value * value, ++own.finite;
           }
         }))
      squares += part.squares, finite += part.finite;
  };
  sum_squares();
  // Squares of numbers beyond 1e154 are none.
  if (!std::isfinite(squares)) unit = unit_of(load, type.size, expected), sum_squares();
  const double rms = finite ? std::sqrt(squares / static_cast<double>(finite)) / unit : 0;

  const auto parts = in_parts(result.elements, threads, [&](std::size_t begin, std::size_t end, Part &part) {
    for (std::size_t i = begin; i < end; ++i) {
      const double want = load(&expected[i * type.size]), have = load(&got[i * type.size]);
      const double relative = overflows_alike(conditioning.precision, want, have)
                                  ? 0
                                  : deviation(want, have, rms, conditioning.flushed);
      if (relative > part.worst) part.worst = relative, part.worst_index = i;
      if (relative > limits.max && !is_relaxed(conditioning.precision, want, have)) ++part.wrong;
      if (std::isnan(have) && !std::isnan(want)) ++part.missing;
      if (std::isfinite(want) && std::isfinite(have))
        part.squares += std::pow(unit * beyond(std::abs(have - want), conditioning.flushed), 2),
            ++part.finite;
    }
  });
  double difference_squares = 0;
  std::size_t both_finite = 0;
  gather(result, parts, difference_squares, both_finite);
  if (both_finite && rms > 0)
    result.error.rms = std::sqrt(difference_squares / static_cast<double>(both_finite)) / (unit * rms);
  const bool by_element = conditioning.precision.kind == spec::PrecisionKind::relaxed;
  result.ok = result.wrong == 0 && (by_element || result.error.rms <= limits.rms);
  return result;
}

}  // namespace

std::string error_number(double value) {
  return fmt::format("{:.1e}", value);
}

std::string compared_number(double value) {
  return fmt::format("{:.9g}", value);
}

CompareLimits same_precision_limits(spec::ElementType type, const Conditioning &conditioning) {
  const bool narrow = type == spec::ElementType::f16 || type == spec::ElementType::bf16;
  const double structured = narrow ? kNarrowStructured : kWideStructured;
  const double unit = data::traits_of(type).eps * (conditioning.structured ? structured : 1);
  const double spread = narrow ? kNarrowSpread : kWideSpread;
  return {std::max({unit * (narrow ? kNarrowRmsLimit : kWideRmsLimit), spread * conditioning.spread.rms,
                    kOwnRms * conditioning.change.rms}),
          std::max({unit * (narrow ? kNarrowMaxLimit : kWideMaxLimit), spread * conditioning.spread.max,
                    kOwnMax * conditioning.change.max})};
}

CompareResult compare_output(spec::ElementType type, std::span<const std::byte> expected,
                             std::span<const std::byte> got, const Conditioning &conditioning,
                             unsigned threads) {
  const data::TypeTraits &known = data::traits_of(type);
  CompareResult result =
      known.eps > 0 ? data::with_load(type,
                                      [&](auto load) {
                                        return compare_floating(known, load, expected, got,
                                                                same_precision_limits(type, conditioning),
                                                                conditioning, threads);
                                      })
                    : compare_exactly(known, expected, got, threads);
  if (result.elements == 0) return result;
  result.error.expected = known.load(&expected[result.error.worst_index * known.size]);
  result.error.got = known.load(&got[result.error.worst_index * known.size]);
  if (!result.ok) explain(result);
  return result;
}

CompareResult compare_bits(spec::ElementType type, std::span<const std::byte> expected,
                           std::span<const std::byte> got, unsigned threads) {
  const data::TypeTraits &known = data::traits_of(type);
  CompareResult result = compare_exactly(known, expected, got, threads);
  if (result.elements == 0) return result;
  const std::size_t at = result.error.worst_index * known.size;
  result.error.expected = known.load(&expected[at]);
  result.error.got = known.load(&got[at]);
  if (result.ok) return result;
  explain(result);
  if (known.eps > 0) result.reason += "; the original moves this data bit by bit";
  return result;
}

std::size_t count_nan(spec::ElementType type, std::span<const std::byte> values,
                      std::span<const std::byte> poison) {
  const data::TypeTraits &known = data::traits_of(type);
  if (known.eps == 0) return 0;
  const auto is_poison = [&](std::size_t at) {
    for (std::size_t i = 0; i < known.size; ++i)
      if (values[at + i] != poison[(at + i) % poison.size()]) return false;
    return true;
  };
  const auto parts =
      in_parts(values.size() / known.size, 0, [&](std::size_t begin, std::size_t end, Part &part) {
        for (std::size_t at = begin * known.size; at < end * known.size; at += known.size)
          if (std::isnan(known.load(&values[at])) && (poison.empty() || !is_poison(at))) ++part.missing;
      });
  std::size_t found = 0;
  for (const Part &part : parts) found += part.missing;
  return found;
}

}  // namespace cupilot::judge::correct
