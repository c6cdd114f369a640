// SPDX-License-Identifier: Apache-2.0
//
// One decoded instruction and what its handler may touch. Included by code that is compiled several times for
// different vector extensions: nothing here may include templates of the standard library.
//
// A warp's registers are lanes side by side: a 32-bit register is uint32_t[32], a 64-bit one uint64_t[32], a
// 16-bit one uint16_t[32], an 8-bit one uint8_t[32], a 128-bit one two uint64_t[32] (low words first), a
// predicate one uint32_t with a bit a lane. All are in a *frame*, of which each function call of a warp has
// one, at byte offsets known after decoding; constants and special registers are prefilled members of the
// frame, so every operand is an Offset. Offsets are multiples of 64 (predicates: of 4).

#pragma once

#include <cstddef>
#include <cstdint>

namespace cupilot::emulate::machine {
class Warp;
}  // namespace cupilot::emulate::machine

namespace cupilot::emulate::program {

inline constexpr int kLanes = 32;
using Mask = std::uint32_t;
using Offset = std::uint32_t;
inline constexpr Offset kNowhere = 0xffffffff;  ///< the operand `_`, or a missing operand

struct Step;
/// `mask`: the lanes that execute, already guarded; never 0 unless Step::always.
using Handler = void (*)(machine::Warp &warp, const Step &step, Mask mask);

enum class GuardKind : std::uint8_t { none, if_set, if_clear };

/// What the machine's loop does with a step instead of calling `run`. The decoder adds `join` where diverged
/// lanes reconverge, and `unsupported` in place of an unknown instruction.
enum class Flow : std::uint8_t { next, branch, indirect_branch, call, ret, exit, trap, join, unsupported };

struct Step {
  Handler run = nullptr;
  Offset guard = 0;
  GuardKind guard_kind = GuardKind::none;
  Flow flow = Flow::next;
  bool plain = true;            ///< no guard and Flow::next: the machine's fast path
  bool always = false;          ///< called even when no lane executes (barriers of control flow)
  bool sets_predicate = false;  ///< at[0] is a predicate that it writes
  bool chooses = false;         ///< selp: at[3] is the predicate
  std::uint16_t operands = 0;   ///< number of operands; more than 6: see `more`
  std::uint32_t pc = 0;         ///< its index in Program::steps and Program::info
  Offset at[6] = {kNowhere, kNowhere, kNowhere, kNowhere, kNowhere, kNowhere};  ///< flattened, PTX order
  const Offset *more = nullptr;  ///< all operands, when they are more than 6; owned by the program
  std::uint64_t data = 0;        ///< for the handler: an immediate, a branch target, flags
  const void *detail = nullptr;  ///< for the handler, owned by the program (Binding::detail)
};

/// The part of a warp that arithmetic needs; machine/warp.h has the rest.
class WarpFrame {
public:
  template <typename T>
  T *lanes(Offset offset) {
    return reinterpret_cast<T *>(__builtin_assume_aligned(frame + offset, alignof(T) < 4 ? 4 : alignof(T)));
  }
  std::uint32_t &predicate(Offset offset) { return *reinterpret_cast<std::uint32_t *>(frame + offset); }
  std::byte *frame = nullptr;  ///< frame of the running function; 64-byte aligned
  Mask carry = 0;              ///< CC.CF of each lane (add.cc, addc, ...)
  std::uint64_t chip = 0;      ///< draws the last bits of approximations; 0: they are nearly exact
};

}  // namespace cupilot::emulate::program
