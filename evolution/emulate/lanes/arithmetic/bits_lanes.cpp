// SPDX-License-Identifier: Apache-2.0
//
// Counting, finding and moving bits within a word: popc clz bfind fns brev bfe bfi szext bmsk, shifts, funnel
// shifts, byte permutation. Positions and lengths beyond the word follow PTX ISA 9.7.1 and 9.7.8.

#include "evolution/emulate/lanes/arithmetic/lane.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

template <class U>
constexpr u32 kWidth = 8 * sizeof(U);

template <class U>
u32 popc(U a) {
  return u32(__builtin_popcountll(a));
}
template <class U>
u32 clz(U a) {
  return a == 0 ? kWidth<U> : u32(__builtin_clzll(a)) - (64 - kWidth<U>);
}
/// The highest bit that differs from the sign; none: all ones.
template <class T, bool Amount>
u32 bfind(T a) {
  using U = typename Unsigned<T>::type;
  const U bits = a < T(0) ? U(~U(a)) : U(a);
  if (bits == 0) return 0xffffffff;
  const u32 at = kWidth<U> - 1 - clz<U>(bits);
  return Amount ? kWidth<U> - 1 - at : at;
}
/// Neighbours of every size change places.
template <class U>
U brev(U a) {
  constexpr u64 kEven[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                           0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  for (u32 step = 0; (1U << step) < kWidth<U>; ++step)
    a = U((a >> (1U << step) & U(kEven[step])) | (a & U(kEven[step])) << (1U << step));
  return a;
}
/// The n-th set bit from `base` upward (offset > 0) or downward (offset < 0).
u32 fns(u32 bits, u32 base, i32 offset) {
  if (base > 31) return 0xffffffff;
  if (offset == 0) return (bits >> base) & 1 ? base : 0xffffffff;
  const int direction = offset > 0 ? 1 : -1;
  i64 left = offset > 0 ? offset : -i64(offset);
  for (int at = int(base); at >= 0 && at < 32; at += direction) {
    if (((bits >> at) & 1) && --left == 0) return u32(at);
  }
  return 0xffffffff;
}
/// Hardware looks at eight bits of positions and lengths; the routines for 64-bit operands look at all.
template <class U>
u32 amount(u32 a) {
  return sizeof(U) == 8 ? (a > 255 ? 255 : a) : a & 0xff;
}
template <class T>
T bfe(T a, u32 position, u32 length) {
  using U = typename Unsigned<T>::type;
  position = amount<U>(position);
  length = amount<U>(length);
  constexpr u32 kTop = kWidth<U> - 1;
  const u32 last = position + length < 1 + kTop ? position + length - 1 : kTop;
  const bool sign = T(-1) < T(0) && length != 0 && ((U(a) >> last) & 1);
  const U field = position > kTop ? U(0) : U(U(a) >> position);
  const U fill = sign ? U(~U(0)) : U(0);
  // From `reach` on there is only the sign: past the length, or past the top bit.
  const u32 room = position > kTop ? 0 : kTop + 1 - position;
  const u32 reach = length < room ? length : room;
  const U keep = reach > kTop ? U(~U(0)) : U((U(1) << reach) - 1);
  return T((field & keep) | (fill & ~keep));
}
template <class U>
U bfi(U a, U b, u32 position, u32 length) {
  position = amount<U>(position);
  length = amount<U>(length);
  if (position >= kWidth<U>) return b;
  const U ones = length >= kWidth<U> ? U(~U(0)) : U((U(1) << length) - 1);
  const U field = U(ones << position);
  return (b & ~field) | (U(a << position) & field);
}
template <class T, bool Clamp>
T szext(T a, u32 b) {
  const u32 n = Clamp ? (b > 32 ? 32 : b) : b & 31;
  if (n == 0) return 0;
  if (n == 32) return a;
  return T(T(u32(a) << (32 - n)) >> (32 - n));
}
template <bool Clamp>
u32 bmsk(u32 a, u32 b) {
  const u32 from = Clamp ? (a > 32 ? 32 : a) : a & 31, length = Clamp ? (b > 32 ? 32 : b) : b & 31;
  const u64 ones = (u64(1) << length) - 1;
  return u32(ones << from);
}

template <class U>
U shl(U a, u32 b) {
  return b >= kWidth<U> ? U(0) : U(a << b);
}
template <class T>
T shr(T a, u32 b) {
  return b >= kWidth<T> ? (a < T(0) ? T(-1) : T(0)) : T(a >> b);
}
template <bool Clamp>
u32 shf_left(u32 a, u32 b, u32 c) {
  const u32 n = Clamp ? (c > 32 ? 32 : c) : c & 31;
  return u32(((u64(b) << 32 | a) << n) >> 32);
}
template <bool Clamp>
u32 shf_right(u32 a, u32 b, u32 c) {
  const u32 n = Clamp ? (c > 32 ? 32 : c) : c & 31;
  return u32((u64(b) << 32 | a) >> n);
}

/// Byte `pick` (0 to 7; bit 3: its sign eight times) of b:a.
u32 pick_byte(u64 bytes, u32 pick) {
  const u32 byte = u32(bytes >> (8 * (pick & 7))) & 0xff;
  return pick & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}
u32 gather_bytes(u32 a, u32 b, u32 picks) {
  const u64 bytes = u64(b) << 32 | a;
  u32 r = 0;
  for (u32 i = 0; i < 4; ++i) r |= pick_byte(bytes, (picks >> (4 * i)) & 15) << (8 * i);
  return r;
}
u32 prmt(u32 a, u32 b, u32 c) {
  return gather_bytes(a, b, c);
}
u32 prmt_f4e(u32 a, u32 b, u32 c) {
  return gather_bytes(a, b, 0x3210 + 0x1111 * (c & 3));
}
u32 prmt_b4e(u32 a, u32 b, u32 c) {
  constexpr u32 kPicks[] = {0x5670, 0x6701, 0x7012, 0x0123};
  return gather_bytes(a, b, kPicks[c & 3]);
}
u32 prmt_rc8(u32 a, u32 b, u32 c) {
  return gather_bytes(a, b, 0x1111 * (c & 3));
}
u32 prmt_ecl(u32 a, u32 b, u32 c) {
  constexpr u32 kPicks[] = {0x3210, 0x3211, 0x3222, 0x3333};
  return gather_bytes(a, b, kPicks[c & 3]);
}
u32 prmt_ecr(u32 a, u32 b, u32 c) {
  constexpr u32 kPicks[] = {0x0000, 0x1110, 0x2210, 0x3210};
  return gather_bytes(a, b, kPicks[c & 3]);
}
u32 prmt_rc16(u32 a, u32 b, u32 c) {
  return gather_bytes(a, b, c & 1 ? 0x3232 : 0x1010);
}

constexpr LaneEntry kEntries[] = {
    CUPILOT_LANE("popc.b32", popc<u32>),
    CUPILOT_LANE("popc.b64", popc<u64>),
    CUPILOT_LANE("clz.b32", clz<u32>),
    CUPILOT_LANE("clz.b64", clz<u64>),
    CUPILOT_LANE("bfind.u32", bfind<u32, false>),
    CUPILOT_LANE("bfind.s32", bfind<i32, false>),
    CUPILOT_LANE("bfind.u64", bfind<u64, false>),
    CUPILOT_LANE("bfind.s64", bfind<i64, false>),
    CUPILOT_LANE("bfind.shiftamt.u32", bfind<u32, true>),
    CUPILOT_LANE("bfind.shiftamt.s32", bfind<i32, true>),
    CUPILOT_LANE("bfind.shiftamt.u64", bfind<u64, true>),
    CUPILOT_LANE("bfind.shiftamt.s64", bfind<i64, true>),
    CUPILOT_LANE("fns.b32", fns),
    CUPILOT_LANE("brev.b32", brev<u32>),
    CUPILOT_LANE("brev.b64", brev<u64>),
    CUPILOT_LANE("bfe.u32", bfe<u32>),
    CUPILOT_LANE("bfe.s32", bfe<i32>),
    CUPILOT_LANE("bfe.u64", bfe<u64>),
    CUPILOT_LANE("bfe.s64", bfe<i64>),
    CUPILOT_LANE("bfi.b32", bfi<u32>),
    CUPILOT_LANE("bfi.b64", bfi<u64>),
    CUPILOT_LANE("szext.clamp.u32", szext<u32, true>),
    CUPILOT_LANE("szext.clamp.s32", szext<i32, true>),
    CUPILOT_LANE("szext.wrap.u32", szext<u32, false>),
    CUPILOT_LANE("szext.wrap.s32", szext<i32, false>),
    CUPILOT_LANE("bmsk.clamp.b32", bmsk<true>),
    CUPILOT_LANE("bmsk.wrap.b32", bmsk<false>),
    CUPILOT_LANE("shl.b16", shl<u16>),
    CUPILOT_LANE("shl.b32", shl<u32>),
    CUPILOT_LANE("shl.b64", shl<u64>),
    CUPILOT_LANE("shr.b16", shr<u16>),
    CUPILOT_LANE("shr.b32", shr<u32>),
    CUPILOT_LANE("shr.b64", shr<u64>),
    CUPILOT_LANE("shr.u16", shr<u16>),
    CUPILOT_LANE("shr.u32", shr<u32>),
    CUPILOT_LANE("shr.u64", shr<u64>),
    CUPILOT_LANE("shr.s16", shr<std::int16_t>),
    CUPILOT_LANE("shr.s32", shr<i32>),
    CUPILOT_LANE("shr.s64", shr<i64>),
    CUPILOT_LANE("shf.l.clamp.b32", shf_left<true>),
    CUPILOT_LANE("shf.l.wrap.b32", shf_left<false>),
    CUPILOT_LANE("shf.r.clamp.b32", shf_right<true>),
    CUPILOT_LANE("shf.r.wrap.b32", shf_right<false>),
    CUPILOT_LANE("prmt.b32", prmt),
    CUPILOT_LANE("prmt.b32.f4e", prmt_f4e),
    CUPILOT_LANE("prmt.b32.b4e", prmt_b4e),
    CUPILOT_LANE("prmt.b32.rc8", prmt_rc8),
    CUPILOT_LANE("prmt.b32.ecl", prmt_ecl),
    CUPILOT_LANE("prmt.b32.ecr", prmt_ecr),
    CUPILOT_LANE("prmt.b32.rc16", prmt_rc16),
};

}  // namespace

LaneTable bits_table() {
  return {kEntries, sizeof(kEntries) / sizeof(kEntries[0])};
}

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
