// SPDX-License-Identifier: Apache-2.0
//
// Is one output what the original gave? Pure: two byte arrays in, the worst deviation out. Used by the
// worker's parent process, which never runs a candidate's code.
//
// Limits under precision(same) without a twin in higher precision. Both kernels compute the same real
// function with the same arithmetic and differ in the order of operations. The error of a serial sum of n
// terms grows like sqrt(n) eps for zero-mean data, so some tens of eps cover sums of many thousand terms,
// while one rounding to tf32 or half (2^-11, 1200 eps in the mean) inside an fp32 kernel is ten times over
// the limit. 16-bit outputs are the fp32 result rounded once: reordering can move it to the next value, not
// further.
//
// Two things make honest kernels differ more. Structured data (equal terms, a large mean) rounds the same way
// every time, so errors grow like n eps: those families look for wrong logic, zero-mean ones for lost
// precision. And an ill-conditioned function (cancellation) magnifies every rounding: so the original also
// runs on inputs moved by one rounding, and a candidate may deviate by a multiple of what that changes
// (backward error: Higham, Accuracy and Stability of Numerical Algorithms, 1.5).

#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "evolution/judge/data/element_type.h"
#include "evolution/model/verdict.h"

namespace cupilot {

inline constexpr double kWideRmsLimit = 128, kWideMaxLimit = 1024;  ///< f32 and f64, in eps
inline constexpr double kNarrowRmsLimit = 2, kNarrowMaxLimit = 8;   ///< f16 and bf16, in eps
/// Of the limits above, on structured data.
inline constexpr double kWideStructured = 8, kNarrowStructured = 2;
/// Of the original's own error (compare_twin.h), or of what rounding the operands changes where that is
/// allowed.
inline constexpr double kOwnRms = 4, kOwnMax = 8;
/// Of what one rounding of the inputs changes.
inline constexpr double kWideSpread = 32, kNarrowSpread = 4;

struct CompareLimits {
  double rms = 0;  ///< of RMS(diff) / RMS(expected); 0: bytes must be equal
  double max = 0;  ///< of |diff| / (|expected| + RMS(expected))
};
/// What is known of the data an output was computed from.
struct Conditioning {
  bool structured = false;
  CompareLimits spread;  ///< how far the original's output moves when its inputs move by one rounding
  CompareLimits change;  ///< and when they are rounded as the precision clause allows; {}: nothing more
  Precision precision;   ///< `relaxed` allows each element that much
};
CompareLimits same_precision_limits(ElementType type, const Conditioning &conditioning = {});

struct CompareResult {
  OutputError error;  ///< rms, max, limits, worst element; the caller names case, family and parameter
  std::size_t elements = 0;
  std::size_t wrong = 0;    ///< elements outside the limit, or of another class (NaN, infinity)
  std::size_t missing = 0;  ///< NaN where a number was expected: most often never written
  bool ok = true;
  std::string reason;  ///< "element 17 is 1.5, expected 1.25 ...", empty when ok
};

/// Both spans have the same length, a multiple of the element's size. `threads` 0: as many as the machine
/// has.
CompareResult compare_output(ElementType type, std::span<const std::byte> expected,
                             std::span<const std::byte> got, const Conditioning &conditioning = {},
                             unsigned threads = 0);

/// Elements that are NaN, other than those that still hold `poison` (repeated from the start of the span).
std::size_t count_nan(ElementType type, std::span<const std::byte> values, std::span<const std::byte> poison);

}  // namespace cupilot
