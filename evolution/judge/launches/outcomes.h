// SPDX-License-Identifier: Apache-2.0
//
// What the sizes and scalars of one call decide by themselves: which way its host side goes, which launches
// it makes, and the truth of each condition of a kernel that is the same for all threads. It takes no device
// and no data, so thousands of calls can be asked for, and those that go a way which no judged call went
// become cases. Conditions are also looked at together: `rows % 11 == 0 && cols % 11 == 0` has four outcomes.
// Pure.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cupilot::judge::launches {

/// One number for each outcome (of one entry), ascending.
using Outcomes = std::vector<std::uint64_t>;

/// The kinds of outcomes: the upper bits of their numbers. `comparison`: the two are the same, or not;
/// `order`: which one is less, for any comparison, so that it counts by itself only.
enum class OutcomeKind : std::uint64_t { step, comparison, label, condition, launch, order };
inline constexpr int kOutcomeBits = 60;
constexpr std::uint64_t outcome(OutcomeKind kind, std::uint64_t number) {
  return static_cast<std::uint64_t>(kind) << kOutcomeBits |
         (number & ((std::uint64_t{1} << kOutcomeBits) - 1));
}

/// How many calls are chosen at most: for outcomes that `seen` has not, for pairs of them, and for three of
/// them together.
struct OutcomeLimits {
  std::size_t single = 16, pairs = 8, triples = 8;
};

/// Indices into `calls`, ascending. Among calls that tell the same the first one is taken.
std::vector<std::size_t> calls_with_new_outcomes(const std::vector<Outcomes> &seen,
                                                 const std::vector<Outcomes> &calls,
                                                 const OutcomeLimits &limits);

}  // namespace cupilot::judge::launches
