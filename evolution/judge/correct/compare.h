// SPDX-License-Identifier: Apache-2.0
//
// Compares one output with that of the original and reports the largest deviation. Pure. It is used by the
// worker's parent process, which never runs a candidate's code.
//
// The limits below apply under precision(same) when there is no twin. Both kernels compute the same real
// function with the same arithmetic and differ only in the order of operations. The error of a serial sum of
// n terms grows like sqrt(n) eps for zero-mean data, so some tens of eps cover sums of many thousand terms,
// while one rounding to tf32 or half inside an fp32 kernel (2^-11, 1200 eps on average) is ten times the
// limit. A 16-bit output is the fp32 result rounded once, so reordering can move it to a neighbouring value
// but no further.
//
// Two effects make correct kernels differ more. First, structured data (equal terms, a large mean) rounds the
// same way every time, so errors grow like n eps. Those families therefore look for wrong logic, and
// zero-mean families look for lost precision. Second, an ill-conditioned function (cancellation) magnifies
// every rounding error. So the original also runs on inputs moved by one rounding, and a candidate may
// deviate by a multiple of the resulting change (backward error: Higham, Accuracy and Stability of Numerical
// Algorithms, 1.5).

#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "evolution/judge/data/element_type.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::correct {

inline constexpr double kWideRmsLimit = 128, kWideMaxLimit = 1024;  ///< f32 and f64, in eps
inline constexpr double kNarrowRmsLimit = 2, kNarrowMaxLimit = 8;   ///< f16 and bf16, in eps
/// Factors for the limits above on structured data.
inline constexpr double kWideStructured = 8, kNarrowStructured = 2;
/// Factors for the original's own error (compare_twin.h), or for the change from rounding the operands where
/// the precision clause allows it.
inline constexpr double kOwnRms = 4, kOwnMax = 8;
/// Factors for the change that one rounding of the inputs makes.
inline constexpr double kWideSpread = 32, kNarrowSpread = 4;

struct CompareLimits {
  double rms = 0;  ///< limit of RMS(diff) / RMS(expected); 0: bytes must be equal
  double max = 0;  ///< limit of |diff| / (|expected| + RMS(expected))
};
/// Where one rounding of the inputs moves an output by more than this, as where all numbers of a row are the
/// same and their mean is taken from them, it is rounding errors and has no digit to compare: no number is
/// wrong then.
inline constexpr double kNoDigits = 0x1p-7, kAnyNumber = 1e30;
inline CompareLimits without_digits(const CompareLimits &spread) {
  return spread.rms > kNoDigits ? CompareLimits{kAnyNumber, kAnyNumber} : spread;
}

/// What is known about the data that an output was computed from.
struct Conditioning {
  bool structured = false;
  CompareLimits spread;  ///< change of the original's output when its inputs move by one rounding
  /// The same when the inputs are rounded as the precision clause allows; {}: no such rounding.
  CompareLimits change;
  spec::Precision precision;  ///< `relaxed` gives the allowed deviation of each element
  double flushed = 0;         ///< how far flushing alone may move an element (flushing.h)
  bool moved = false;         ///< ExpectedOutputs::moved
};
CompareLimits same_precision_limits(spec::ElementType type, const Conditioning &conditioning = {});

struct CompareResult {
  model::OutputError error;  ///< rms, max, limits, worst element; the caller sets case, family and parameter
  std::size_t elements = 0;
  std::size_t wrong = 0;    ///< elements beyond the limit, or of another class (NaN, infinity and its sign)
  std::size_t missing = 0;  ///< NaN where a number was expected, usually because it was not written
  bool ok = true;
  std::string reason;  ///< "element 17 is 1.5, expected 1.25 ..."; empty when ok
};

/// Both spans must have the same length, a multiple of the element size. `threads` 0: one for each hardware
/// thread.
CompareResult compare_output(spec::ElementType type, std::span<const std::byte> expected,
                             std::span<const std::byte> got, const Conditioning &conditioning = {},
                             unsigned threads = 0);

/// The same for what the original has only moved: every bit counts, also of NaN and of zeros.
CompareResult compare_bits(spec::ElementType type, std::span<const std::byte> expected,
                           std::span<const std::byte> got, unsigned threads = 0);

/// Counts the elements that are NaN but do not still hold `poison` (a pattern that repeats from the start of
/// the span).
std::size_t count_nan(spec::ElementType type, std::span<const std::byte> values,
                      std::span<const std::byte> poison);

}  // namespace cupilot::judge::correct
