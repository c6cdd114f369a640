// SPDX-License-Identifier: Apache-2.0
//
// Decides whether one output is as accurate as the original's. The twin's output stands for the exact result.
// The original's distance from it is the error of its arithmetic, and a candidate may have a small multiple
// of that error. Unlike the limits of compare.h these limits need no assumption about the kernel: the order
// and length of sums and the conditioning of the function are all part of the original's own error. Rounding
// the operands once to tf32 or half gives an error a hundred times larger.
//
// The original alone decides which elements must be NaN or infinite, since the twin does not overflow in the
// same places. Where only the original's own sums overflowed, the exact result is right as well. Where the
// clause allows rounded operands, and the original or the twin with rounded operands is not finite, any NaN
// or infinity is right: which of them depends on the order, and on how an operand is split.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/judge/correct/compare.h"

namespace cupilot::judge::correct {

/// The smallest limits, in eps of the output's type. They are needed because an original may be exact by
/// chance. Also, where one product dominates a sum, three tf32 products (3xTF32) are off by up to 2^-22 of it
/// (a single one by 2^-12).
inline constexpr double kLeastRmsEps = 4, kLeastMaxEps = 16;
inline constexpr double kLeastNarrowRmsEps = 1, kLeastNarrowMaxEps = 4;  ///< f16 and bf16
/// A 16-bit output that was computed exactly and rounded once has at most this RMS error (0.29 of the
/// spacing, which is half an eps to one eps). In this case a candidate may have this multiple of the error,
/// that is no more than one rounding.
inline constexpr double kOneRoundingEps = 0.3, kOwnOneRounding = 1.25;
/// With fewer numbers than this an output is too small to estimate the error from one draw.
inline constexpr std::size_t kFewNumbers = 1024;
inline constexpr double kFewMoved = 8;  ///< factor for KeptTwin::moved

/// Numbers that vanish beside the rest of an output. If every number of the original is within this share of
/// its own exact value (so nothing cancels), then every number of a candidate has to keep its size, by that
/// share. Numbers below the normal ones of the type do not count.
inline constexpr double kOwnShare = 0x1p-10, kOwnShareEps = 2, kKeptShare = 0x1p-3;

/// Numbers beside much larger ones elsewhere, as a row of ones is beside a row of 1e12: where neighbours have
/// a root mean square below this share of the whole output's, they are the measure of an element's error,
/// with this multiple of the usual limit, and this one of the original's largest error among them: where
/// their sums cancel, they do so for both. Neighbours are as many elements in a row, from a multiple of their
/// number, none of them zero or no number: random numbers are not as small together. An output needs a few
/// groups of them. Numbers whose digits are below the normal numbers of the type do not count.
inline constexpr std::size_t kNeighbours = 8, kFewNeighbours = 32;
inline constexpr double kSmallNeighbours = 0x1p-6, kNeighboursLimit = 4, kNeighboursOwn = 16;

/// Of an output of many numbers so many may lose their size, and one in this many more: a difference of equal
/// terms is small by chance, and has other digits when it is rounded once or twice. Of those measured by
/// their neighbours one in this many may be off: where a smooth output passes through zero (a prefix sum)
/// neighbours are small together, and so are the original's errors.
inline constexpr std::size_t kManyNumbers = 4096, kSmallByChance = 2, kRareChance = 1 << 17, kFewBeside = 32;

/// An element where the original or the twin of rounded operands overflowed.
struct Overflowed {
  std::size_t index = 0;
  bool rounded = false;  ///< the twin of rounded operands is not finite
  double exact = 0;      ///< the twin's value; NaN where it is not finite
};

/// The exact values of one output, stored relative to the original's: twin = original + difference * unit.
struct KeptTwin {
  std::vector<std::uint16_t> difference;  ///< bf16; NaN where original or twin is not finite
  double unit = 0;
  double rms = 0;             ///< root mean square of the twin's values
  CompareLimits own;          ///< the original's distance from the twin: relative to rms, and to |twin| + rms
  std::size_t own_index = 0;  ///< of the element where own.max is
  double own_share = 0;       ///< the largest distance relative to |twin| itself, of normal numbers
  bool cancels = false;       ///< sums of whole numbers: what is left of some is decided by their rounding
  CompareLimits change;       ///< change of the twin when its operands are rounded as the clause allows
  /// Allowed regardless of the original's own error. For structured data these are the limits of compare.h:
  /// equal or ordered terms round the same way every time, so the error depends on the order of a sum.
  CompareLimits least;
  /// Allowed as well, of an output of few numbers: what one rounding of the inputs changes in this draw. A
  /// sum of a few large terms that cancel is less exact than others of its kind.
  CompareLimits moved;
  std::size_t numbers = 0;             ///< count of elements that are finite in both
  std::vector<Overflowed> overflowed;  ///< in the order of their indices
  bool empty() const { return difference.empty(); }
};

/// `twin` holds one double for each number of `original`.
KeptTwin keep_twin(spec::ElementType type, std::span<const std::byte> original,
                   std::span<const std::byte> twin, unsigned threads = 0);

/// Whether the original is right to the last digit everywhere: it rounds each number once, and if it does on
/// all data, no sum has an order that structured data could round differently in.
bool rounds_once(spec::ElementType type, const KeptTwin &twin);

/// The largest share of its size by which a number that is small beside the rest of an output moves between
/// two runs, `rms` being the root mean square of the output. With inputs that differ by one rounding this is
/// the conditioning of what vanishes: large where it is what sums leave, however exact the original is there
/// by chance.
double moved_share(spec::ElementType type, double rms, std::span<const std::byte> original,
                   std::span<const std::byte> moved, unsigned threads = 0);

/// KeptTwin::overflowed. `rounded` is the twin's output from rounded operands; empty: the clause allows none.
std::vector<Overflowed> find_overflowed(spec::ElementType type, std::span<const std::byte> original,
                                        std::span<const std::byte> twin, std::span<const std::byte> rounded);

/// Outputs of the twin: from exact operands, from rounded ones, and from operands of which only one is
/// rounded, for all but the last. What the last does is the rest.
struct RoundedOutputs {
  std::span<const std::byte> exact, rounded;
  std::vector<std::span<const std::byte>> alone{};
};

/// How far rounding moves the outputs. In a single product the errors of two operands may cancel, and a
/// candidate that rounds one of them only is further off then. So an element moves by the root of the squares
/// of what each operand does alone, if that is more than all do together. Elements where the original is not
/// finite do not count: the twin's may be so large there that nothing else would show.
CompareLimits twin_change(spec::ElementType type, std::span<const std::byte> original,
                          const RoundedOutputs &outputs, unsigned threads = 0);

/// Whether the precision clause allows operands to be rounded: tf32, half or bf16.
bool rounds_operands(const spec::Precision &precision);

/// Whether a candidate has to keep the size of each number. A few sums of structured data say nothing: they
/// cancel to almost nothing together, and the original may be right to the last digit by its order.
bool keeps_sizes(spec::ElementType type, const KeptTwin &twin, const spec::Precision &precision);

/// The limits for a candidate. If `allowed` (the precision clause) permits rounded operands, `own` is widened
/// to the change that this rounding makes.
CompareLimits twin_limits(spec::ElementType type, const KeptTwin &twin, spec::PrecisionKind allowed);

/// `original` and `got` hold numbers of `type`. `flushed`: how far flushing alone may move one (flushing.h).
CompareResult compare_with_twin(spec::ElementType type, std::span<const std::byte> original,
                                const KeptTwin &twin, std::span<const std::byte> got,
                                const spec::Precision &precision = {}, double flushed = 0,
                                unsigned threads = 0);

}  // namespace cupilot::judge::correct
