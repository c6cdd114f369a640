// SPDX-License-Identifier: Apache-2.0
//
// Shared by both comparisons: parallel passes over the parts of an output, and the printing of numbers.
// Internal to evolution/judge.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace cupilot::judge::correct {

/// The result of one thread for its part.
struct ComparedPart {
  double squares = 0;  ///< sum of squares of expected values or of differences
  double allowed_squares = 0;
  std::size_t finite = 0;
  double worst = -1;
  std::size_t worst_index = 0, wrong = 0, missing = 0;
  /// Wrong only by one of the two rules about small numbers (compare_twin.h), and the first of the worst.
  std::size_t vanished = 0, beside = 0, small_index = 0;
  double worst_small = -1;
  double share = 0;  ///< the largest difference relative to the number itself

  /// Notes `difference / scale` where it is the largest so far. Divides only then.
  void note_worst(double difference, double scale, std::size_t index) {
    if (scale > 0 && difference > worst * scale) worst = difference / scale, worst_index = index;
  }
};

/// The smallest part, in elements, for which a thread pays off.
inline constexpr std::size_t kLeastComparedPart = 1 << 18;

/// Runs `body(begin, end, part)` over [0, n), cut into one part for each thread.
template <class Body>
std::vector<ComparedPart> in_parts(std::size_t n, unsigned threads, const Body &body) {
  const std::size_t wanted = threads ? threads : std::max(1u, std::thread::hardware_concurrency());
  const std::size_t count = std::clamp<std::size_t>(n / kLeastComparedPart, 1, wanted);
  std::vector<ComparedPart> parts(count);
  std::vector<std::jthread> running;
  for (std::size_t i = 1; i < count; ++i)
    running.emplace_back([&, i] { body(n * i / count, n * (i + 1) / count, parts[i]); });
  body(0, n / count, parts[0]);
  running.clear();
  return parts;
}

/// What is left of a deviation when flushing explains `flushed` of it.
inline double beyond(double difference, double flushed) {
  return difference > flushed ? difference - flushed : 0;
}

/// `error_number` formats an error ("3.1e-04"), `compared_number` a value.
std::string error_number(double value);
std::string compared_number(double value);

}  // namespace cupilot::judge::correct
