// SPDX-License-Identifier: Apache-2.0
//
// Logic and selection: and or xor not cnot lop3 selp slct, also on predicates, where step.data has a bit for
// each negated operand.

#include "evolution/emulate/lanes/arithmetic/lane.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

template <class U>
U bit_and(U a, U b) {
  return a & b;
}
template <class U>
U bit_or(U a, U b) {
  return a | b;
}
template <class U>
U bit_xor(U a, U b) {
  return a ^ b;
}
template <class U>
U bit_not(U a) {
  return U(~a);
}
template <class U>
U is_zero(U a) {
  return a == 0;
}
template <class T>
T select(T a, T b, bool p) {
  return p ? a : b;
}
template <class T>
T select_by_sign(T a, T b, i32 c) {
  return c >= 0 ? a : b;
}
template <class T, bool Flush>
T select_by_float(T a, T b, float c) {
  if (Flush && (bits_as<u32>(c) & 0x7f800000) == 0) c = 0;
  return c >= 0 ? a : b;
}

/// A predicate operand; `at` counts operands.
inline program::Mask predicate_operand(machine::Warp &warp, const program::Step &step, int at) {
  return predicate_at(warp, step.at[at]) ^ (step.data >> at & 1 ? kAll : 0);
}
template <program::Mask (*F)(program::Mask, program::Mask)>
void predicate_binary(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  merge_predicate(warp, step.at[0], F(predicate_operand(warp, step, 1), predicate_operand(warp, step, 2)),
                  mask);
}
void predicate_not(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  merge_predicate(warp, step.at[0], ~predicate_operand(warp, step, 1), mask);
}
void predicate_move(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  merge_predicate(warp, step.at[0], predicate_operand(warp, step, 1), mask);
}

/// The table's entry for bits a, b, c is bit 4a + 2b + c of `table`: a tree of selections.
inline u32 look_up(u32 a, u32 b, u32 c, u32 table) {
  const auto ones = [table](int bit) { return u32(0) - (table >> bit & 1); };
  const auto by_c = [&](int bit) { return (ones(bit + 1) & c) | (ones(bit) & ~c); };
  const u32 low = (by_c(2) & b) | (by_c(0) & ~b), high = (by_c(6) & b) | (by_c(4) & ~b);
  return (high & a) | (low & ~a);
}
void lop3(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const u32 *a = lanes_at<u32>(warp, step.at[1]), *b = lanes_at<u32>(warp, step.at[2]);
  const u32 *c = lanes_at<u32>(warp, step.at[3]);
  const u32 table = u32(step.data);
  for_lanes<u32>(warp, step.at[0], mask, [=](int i) { return look_up(a[i], b[i], c[i], table); });
}
/// d | p, a, b, c, table, q: p = (d != 0) BoolOp q; data: table, then 1 and, 2 or, 3 xor, from bit 16 on: q
/// negated.
void lop3_with_predicate(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const u32 *a = lanes_at<u32>(warp, operand(step, 2)), *b = lanes_at<u32>(warp, operand(step, 3));
  const u32 *c = lanes_at<u32>(warp, operand(step, 4));
  const u32 table = u32(step.data) & 0xff;
  alignas(64) u32 r[program::kLanes];
  program::Mask set = 0;
  for (int i = 0; i < program::kLanes; ++i) {
    r[i] = look_up(a[i], b[i], c[i], table);
    set |= r[i] != 0 ? kBit<u32>.of[i] : 0;
  }
  const program::Mask q = predicate_at(warp, operand(step, 6)) ^ (step.data >> 16 & 1 ? kAll : 0);
  const u64 how = step.data >> 8 & 3;
  store(warp, operand(step, 0), r, mask);
  if (operand(step, 1) != program::kNowhere)
    merge_predicate(warp, operand(step, 1), how == 1 ? set & q : how == 2 ? set | q : set ^ q, mask);
}

#define WIDTHS(name, F) \
  CUPILOT_LANE(name "16", F<u16>), CUPILOT_LANE(name "32", F<u32>), CUPILOT_LANE(name "64", F<u64>)

constexpr LaneEntry kEntries[] = {
    WIDTHS("and.b", bit_and),
    WIDTHS("or.b", bit_or),
    WIDTHS("xor.b", bit_xor),
    WIDTHS("not.b", bit_not),
    WIDTHS("cnot.b", is_zero),
    {"and.pred", predicate_binary<bit_and<program::Mask>>, "Ppp"},
    {"or.pred", predicate_binary<bit_or<program::Mask>>, "Ppp"},
    {"xor.pred", predicate_binary<bit_xor<program::Mask>>, "Ppp"},
    {"not.pred", predicate_not, "Pp"},
    {"mov.pred", predicate_move, "Pp"},
    WIDTHS("selp.b", select),
    CUPILOT_LANE("selp.f32", select<float>),
    CUPILOT_LANE("selp.f64", select<double>),
    WIDTHS("slct.s32.b", select_by_sign),
    CUPILOT_LANE("slct.s32.f32", select_by_sign<float>),
    CUPILOT_LANE("slct.s32.f64", select_by_sign<double>),
    CUPILOT_LANE("slct.f32.b16", select_by_float<u16, false>),
    CUPILOT_LANE("slct.f32.b32", select_by_float<u32, false>),
    CUPILOT_LANE("slct.f32.b64", select_by_float<u64, false>),
    CUPILOT_LANE("slct.f32.f32", select_by_float<float, false>),
    CUPILOT_LANE("slct.f32.f64", select_by_float<double, false>),
    CUPILOT_LANE("slct.ftz.f32.b16", select_by_float<u16, true>),
    CUPILOT_LANE("slct.ftz.f32.b32", select_by_float<u32, true>),
    CUPILOT_LANE("slct.ftz.f32.b64", select_by_float<u64, true>),
    CUPILOT_LANE("slct.ftz.f32.f32", select_by_float<float, true>),
    CUPILOT_LANE("slct.ftz.f32.f64", select_by_float<double, true>),
    {"lop3.b32", lop3, "Wwwww"},
    {"lop3.pred.b32", lop3_with_predicate, "WPwwwwp"},
};

}  // namespace

LaneTable logic_table() {
  return {kEntries, sizeof(kEntries) / sizeof(kEntries[0])};
}

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
