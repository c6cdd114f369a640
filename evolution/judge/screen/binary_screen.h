// SPDX-License-Identifier: Apache-2.0
//
// Screens the compiled candidate: the symbols and writable data of its host code, and the instructions of its
// kernels. static_check.h only looks at the text; this screen also finds what macros or spelling hid there.
// Pure.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace cupilot::judge::screen {

struct ScreenFinding {
  std::string reason;  ///< "calls 'socket': the host side of a variant may only queue launches"
};

/// Screens entry.so for undefined symbols that launch() may not call, writable data, constructors, other
/// libraries, functions chosen at load time, and code that is writable. `original` is the original's
/// entry.so, built the same way; everything that it also contains belongs to the user and is allowed.
std::vector<ScreenFinding> screen_library(std::span<const std::byte> candidate,
                                          std::span<const std::byte> original);

/// The classes of arithmetic that a kernel uses, for the precision clause.
struct InstructionClasses {
  bool half_arithmetic = false, bf16_arithmetic = false, tf32_matrix = false, half_matrix = false,
       fp8_matrix = false;
  bool approximate = false;  ///< ex2.approx, sin.approx, ... (fast-math forms)
  bool flush_to_zero = false;
  /// "half-precision arithmetic (fma.rn.f16x2), ..."; empty if there is none.
  std::string told;
};
/// What of the code turns subnormal numbers into zero with the judge's consent.
struct FlushingCode {
  bool atomics = false;   ///< additions of floats by atomics outside of shared memory, in either
  bool original = false;  ///< the original's own arithmetic (compiled with -ftz=true)
};
struct CodeScreen {
  std::vector<ScreenFinding> findings;
  InstructionClasses classes;
  FlushingCode flushing;
  /// The candidate's text is known and has no arithmetic of floating numbers: what it writes are bits that it
  /// moves, or whole numbers.
  bool moves_only = false;
  std::vector<std::string> kernels;  ///< entry names
  /// Kernels that touch global memory before they wait for the work in front of them (griddepcontrol.wait, in
  /// machine code ACQBULK), as they may unless they are launched to begin before its end.
  std::vector<std::string> impatient;
};
/// Screens the kernels' PTX and SASS (text of `cuobjdump -ptx -sass`, or of uncompressed device code) for
/// clocks and timers, device-side allocation and printing, writable module variables, cache policies that
/// outlive the launch, and calls of functions that are not defined. Everything that the original also
/// contains is allowed. __nanosleep and trap are not screened, since cooperative_groups and honest spin loops
/// use them and they give no advantage.
CodeScreen screen_code(std::string_view candidate, std::string_view original);

/// The PTX of a built library whose device code is not compressed; empty if there is none.
std::string uncompressed_ptx(std::span<const std::byte> library);

}  // namespace cupilot::judge::screen
