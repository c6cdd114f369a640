// SPDX-License-Identifier: Apache-2.0
//
// Is one output as exact as the original's? What the twin gave stands for the real number; the original's own
// distance from it is the error its arithmetic makes, and a candidate may make a small multiple of it. Unlike
// the limits of compare.h these need no idea of the kernel: how a sum is ordered, how badly the function is
// conditioned and how long it is are all in the original's own error. One rounding of the operands to tf32 or
// half makes a hundred times more.
//
// Which elements are NaN or infinite is the original's business: there the twin, which does not overflow, has
// nothing to say.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/judge/correct/compare.h"

namespace cupilot {

/// The least that is allowed, in eps of the output's type: an original may be luckily exact, and where one
/// product decides a sum, three tf32 products are off by up to 2^-22 of it (one alone by 2^-12).
inline constexpr double kLeastRmsEps = 4, kLeastMaxEps = 16;
inline constexpr double kLeastNarrowRmsEps = 1, kLeastNarrowMaxEps = 4;  ///< f16 and bf16
/// A 16-bit output that was computed exactly and rounded once is off by at most this in the mean (0.29 of a
/// spacing, which is half an eps to a whole one); then a candidate may be off by this multiple: no more than
/// one rounding.
inline constexpr double kOneRoundingEps = 0.3, kOwnOneRounding = 1.25;
/// Outputs of fewer numbers are too few to tell an error from one draw.
inline constexpr std::size_t kFewNumbers = 1024;

/// The exact numbers of one output, beside the original's bytes: twin = original + difference * unit.
struct KeptTwin {
  std::vector<std::uint16_t> difference;  ///< bf16; NaN where one of the two has no finite number
  double unit = 0;
  double rms = 0;        ///< of the twin's numbers
  CompareLimits own;     ///< the original's distance from the twin: relative to rms, to |twin| + rms
  CompareLimits change;  ///< how far the twin moves when its operands are rounded as the clause allows
  /// Allowed whatever the original's own error is: on structured data, where equal or ordered terms round the
  /// same way every time and the order of a sum decides how far, the limits of compare.h.
  CompareLimits least;
  std::size_t numbers = 0;  ///< where both are finite
  bool empty() const { return difference.empty(); }
};

/// `twin` holds doubles, one for each number of `original`.
KeptTwin keep_twin(ElementType type, std::span<const std::byte> original, std::span<const std::byte> twin,
                   unsigned threads = 0);

/// The distance between two outputs of the twin, on rounded operands and on exact ones.
CompareLimits twin_change(std::span<const std::byte> exact, std::span<const std::byte> rounded,
                          unsigned threads = 0);

/// tf32, half or bf16: the clause that lets operands be rounded.
bool rounds_operands(const Precision &precision);

/// What a candidate may deviate: `allowed` (precision clause) widens `own` to what one rounding of the
/// operands changes.
CompareLimits twin_limits(ElementType type, const KeptTwin &twin, PrecisionKind allowed);

/// `original` and `got` hold numbers of the type.
CompareResult compare_with_twin(ElementType type, std::span<const std::byte> original, const KeptTwin &twin,
                                std::span<const std::byte> got, const Precision &precision = {},
                                unsigned threads = 0);

}  // namespace cupilot
