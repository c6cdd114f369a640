// SPDX-License-Identifier: Apache-2.0
//
// The judge's screen of what the compiler made of a candidate: the host code's symbols, its writable data,
// and the instructions of its kernels. Looks at facts where static_check.h looks at text, so what macros or
// spelling hid there shows here. Pure: bytes and text in, findings out.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace cupilot {

struct ScreenFinding {
  std::string reason;  ///< "calls 'socket': the host side of a variant may only queue launches"
};

/// Of entry.so: undefined symbols outside the list of what launch() may call, writable data of its own,
/// constructors, code outside the compiler's own stubs that makes system calls. `original` is the original's
/// entry.so, built the same way: what it has too is the user's and allowed.
std::vector<ScreenFinding> screen_library(std::span<const std::byte> candidate,
                                          std::span<const std::byte> original);

/// Of the kernels' PTX and SASS (text of `cuobjdump -ptx -sass`, or of uncompressed device code): clocks and
/// timers, device-side allocation and printing, writable module variables, cache policies that outlive the
/// launch, calls of functions that are not there; and classes of arithmetic, for the precision clause. What
/// the original's has too is allowed. Not looked for: __nanosleep and trap, which cooperative_groups and
/// honest spin loops make, and which help nobody here.
struct InstructionClasses {
  bool half_arithmetic = false, bf16_arithmetic = false, tf32_matrix = false, half_matrix = false,
       fp8_matrix = false;
  bool approximate = false;  ///< ex2.approx, sin.approx, ... (fast-math forms)
  bool flush_to_zero = false;
  /// "half-precision arithmetic (fma.rn.f16x2), ..."; empty when there is none of them.
  std::string told;
};
struct CodeScreen {
  std::vector<ScreenFinding> findings;
  InstructionClasses classes;
  std::vector<std::string> kernels;  ///< entry names
};
CodeScreen screen_code(std::string_view candidate, std::string_view original);

/// The PTX of a built library whose device code is not compressed; empty when there is none.
std::string uncompressed_ptx(std::span<const std::byte> library);

}  // namespace cupilot
