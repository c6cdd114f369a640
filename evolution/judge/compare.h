// SPDX-License-Identifier: Apache-2.0
//
// Is one output what the original gave? Pure: two byte arrays in, the worst deviation out. Used by the
// worker's parent process, which never runs a candidate's code.
//
// Limits under precision(same) without a twin in higher precision. Both kernels compute the same real
// function with the same arithmetic and differ in the order of operations. The error of a sum of n terms
// grows like sqrt(n) eps for the data we use, so a few tens of eps cover sums of some thousand terms, while
// tf32 (eps 4.9e-4), half (9.8e-4) or bf16 (7.8e-3) arithmetic in an fp32 kernel is at least 250 times over
// the limit. 16-bit outputs are the fp32 result rounded once: reordering can move it to the next value, not
// further.

#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/verdict.h"

namespace cupilot {

inline constexpr double kEpsF16 = 0x1p-10, kEpsBf16 = 0x1p-7, kEpsF32 = 0x1p-23, kEpsF64 = 0x1p-52;
inline constexpr double kWideRmsLimit = 32, kWideMaxLimit = 256;   ///< f32 and f64, in eps
inline constexpr double kNarrowRmsLimit = 2, kNarrowMaxLimit = 8;  ///< f16 and bf16, in eps

struct CompareLimits {
  double rms = 0;  ///< of RMS(diff) / RMS(expected); 0: bytes must be equal
  double max = 0;  ///< of |diff| / (|expected| + RMS(expected))
};
CompareLimits same_precision_limits(ElementType type);

/// Bytes of one element; 0 for `opaque`.
std::size_t element_size(ElementType type);

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
                             std::span<const std::byte> got, unsigned threads = 0);

/// Elements that are NaN, other than those that still hold `poison` (repeated from the start of the span).
std::size_t count_nan(ElementType type, std::span<const std::byte> values, std::span<const std::byte> poison);

}  // namespace cupilot
