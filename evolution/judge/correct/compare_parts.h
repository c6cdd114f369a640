// SPDX-License-Identifier: Apache-2.0
//
// What both comparisons are made of: passes over an output in parallel parts, and how numbers are printed.
// Internal to evolution/judge.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace cupilot {

/// What one thread has seen of its part.
struct ComparedPart {
  double squares = 0;  ///< of expected values, or of differences
  double allowed_squares = 0;
  std::size_t finite = 0;
  double worst = -1;
  std::size_t worst_index = 0, wrong = 0, missing = 0;
};

/// Parts below this many elements are not worth a thread.
inline constexpr std::size_t kLeastComparedPart = 1 << 18;

/// Runs `body(begin, end, part)` over [0, n) cut into one part a thread.
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

/// "3.1e-04": errors; `compared_number`: values.
std::string error_number(double value);
std::string compared_number(double value);

}  // namespace cupilot
