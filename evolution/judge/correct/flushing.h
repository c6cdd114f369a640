// SPDX-License-Identifier: Apache-2.0
//
// Addition of floats by atomics in global memory turns subnormal inputs and results into zero (PTX ISA,
// `atom` and `red`), and code that is compiled with -ftz=true does so everywhere. A sum that is split over
// such atomics is right, and yet differs from the original's by up to the smallest normal number for each
// number that was flushed. This is the deviation that is allowed for it, on top of the usual limits. Pure.

#pragma once

#include <cstdint>
#include <string>

#include "evolution/judge/cases/case_layout.h"

namespace cupilot::judge::correct {

/// Of float. Outputs of narrower types cannot tell such numbers apart from zero.
inline constexpr double kSmallestNormal = 0x1p-126;

struct Flushing {
  /// Whether the device counts flushed numbers. Where it does not, `atomics` stands for the most that a sum
  /// over all inputs can flush.
  bool counted = false;
  std::uint64_t flushed = 0;  ///< counted: by the candidate and by the original on these inputs
  bool atomics = false;       ///< either has float additions by atomics outside of shared memory
  bool original_ftz = false;  ///< the original's arithmetic flushes everywhere
  std::uint64_t numbers = 0;  ///< floating-point numbers that the launch reads: the most terms a sum has
};

/// Flushing::numbers of a case.
std::uint64_t floating_numbers(const cases::CaseLayout &layout);

/// How many flushed numbers one element of an output may have lost. No sum has more than its terms and as
/// many results, so atomics that add nothing buy nothing.
std::uint64_t flushed_numbers(const Flushing &flushing);

inline double flushing_allowance(const Flushing &flushing) {
  return static_cast<double>(flushed_numbers(flushing)) * kSmallestNormal;
}

/// For Verdict::limits: "deviations up to 9.4e-37 are not told apart: ...".
std::string flushing_text(double allowance);

}  // namespace cupilot::judge::correct
