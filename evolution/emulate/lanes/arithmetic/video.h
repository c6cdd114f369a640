// SPDX-License-Identifier: Apache-2.0
//
// Video instructions (PTX ISA 9.7.17, 9.7.18): arithmetic on bytes and halves picked out of 32-bit registers,
// saturated, and combined with a third operand. They are rare, so one handler covers all of them and reads
// the form from VideoStep.

#pragma once

#include <array>
#include <cstdint>

#include "evolution/emulate/program/step.h"

namespace cupilot::emulate::lanes {

enum class VideoOperation : std::uint8_t { add, sub, absdiff, min, max, shl, shr, mad, set, average };
enum class VideoSecond : std::uint8_t { none, add, min, max, insert };

struct VideoStep {
  VideoOperation operation = VideoOperation::add;
  VideoSecond second = VideoSecond::none;
  int lanes = 1;  ///< 1; 2 or 4 for the SIMD forms
  bool signed_result = false, signed_a = false, signed_b = false;
  bool saturate = false, wrap = false;  ///< shift amounts wrap or clamp
  int compare = 0;                      ///< set: 0 eq ne lt le gt ge
  /// Scalar forms: where operands lie: 0-3 bytes, 4-5 halves, 6 the word; of the result for `insert`.
  int pick_a = 6, pick_b = 6, pick_result = 6;
  /// SIMD forms: elements of a:b (a first) for each lane, and which lanes are written.
  std::array<std::uint8_t, 4> select_a{0, 1, 2, 3}, select_b{4, 5, 6, 7};
  unsigned written = 0xf;
  // vmad
  int shift = 0;
  bool negate_product = false, negate_c = false, plus_one = false;
};
/// Step::detail is a VideoStep; operands d a b {c}.
void run_video(machine::Warp &warp, const program::Step &step, program::Mask mask);

}  // namespace cupilot::emulate::lanes
