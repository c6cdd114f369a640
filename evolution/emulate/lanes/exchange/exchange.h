// SPDX-License-Identifier: Apache-2.0
//
// Handlers of the operations that exchange values between the lanes of a warp (shuffles, votes, matches,
// reductions).

#pragma once

#include "evolution/emulate/program/step.h"

namespace cupilot::emulate::lanes::exchange {

/// Flattened operands: d, [p], a, b, c, [members].
struct ShuffleForm {
  enum class Mode : std::uint8_t { up, down, butterfly, index } mode = Mode::index;
  bool predicate = false;  ///< d|p
  bool sync = true;        ///< a member mask follows
};
program::Handler shuffle(ShuffleForm::Mode mode);

/// Flattened operands: d, a, [members]; Step::detail is a VoteForm.
struct VoteForm {
  bool negated = false;  ///< !a
  bool sync = true;
};
enum class Vote : std::uint8_t { all, any, uniform, ballot };
program::Handler vote(Vote vote);

void active_mask(machine::Warp &warp, const program::Step &step, program::Mask mask);

/// Flattened operands: d, a, members.
program::Handler match_any(int bits);
/// Flattened operands: d, [p], a, members; Step::data: 1 if there is a predicate.
program::Handler match_all(int bits);

/// Flattened operands: d, a, members.
enum class Reduce : std::uint8_t {
  add,
  min_signed,
  max_signed,
  min_unsigned,
  max_unsigned,
  bit_and,
  bit_or,
  bit_xor
};
program::Handler reduce(Reduce reduce);
/// f32 min and max; Step::detail is a FloatReduceForm.
struct FloatReduceForm {
  bool max = false, absolute = false, nan = false;
};
void reduce_float(machine::Warp &warp, const program::Step &step, program::Mask mask);

/// Flattened operands: d, p, members.
void elect(machine::Warp &warp, const program::Step &step, program::Mask mask);

}  // namespace cupilot::emulate::lanes::exchange
