// SPDX-License-Identifier: Apache-2.0
//
// Integer arithmetic: PTX ISA 9.7.1. Overflow wraps; division by zero and similar cases give the hardware's
// results and do not trap.

#include "evolution/emulate/lanes/arithmetic/lane.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

template <class T>
constexpr bool kSigned = T(-1) < T(0);
template <class T>
constexpr T kMax = kSigned<T> ? T((u64{1} << (8 * sizeof(T) - 1)) - 1) : T(~u64{0});
template <class T>
constexpr T kMin = kSigned<T> ? T(u64{1} << (8 * sizeof(T) - 1)) : T(0);

/// A type that holds products of T.
template <class T>
struct Twice;
template <>
struct Twice<i16> {
  using type = i32;
};
template <>
struct Twice<u16> {
  using type = u32;
};
template <>
struct Twice<i32> {
  using type = i64;
};
template <>
struct Twice<u32> {
  using type = u64;
};
template <>
struct Twice<i64> {
  using type = i128;
};
template <>
struct Twice<u64> {
  using type = u128;
};
template <class T>
using Wide = typename Twice<T>::type;

template <class T>
T add(T a, T b) {
  return T(u64(a) + u64(b));
}
template <class T>
T sub(T a, T b) {
  return T(u64(a) - u64(b));
}
template <class T>
T mul_lo(T a, T b) {
  using U = typename Unsigned<T>::type;
  if constexpr (sizeof(T) == 2)
    return T(u32(U(a)) * u32(U(b)));
  else
    return T(U(a) * U(b));
}
template <class T>
T mul_hi(T a, T b) {
  return T((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T)));
}
template <class T>
Wide<T> mul_wide(T a, T b) {
  return Wide<T>(a) * Wide<T>(b);
}
template <class T>
T mad_lo(T a, T b, T c) {
  return add<T>(mul_lo<T>(a, b), c);
}
template <class T>
T mad_hi(T a, T b, T c) {
  return add<T>(mul_hi<T>(a, b), c);
}
template <class T>
Wide<T> mad_wide(T a, T b, Wide<T> c) {
  return add<Wide<T>>(mul_wide<T>(a, b), c);
}
i32 clamp32(i64 x) {
  return i32(x > kMax<i32> ? i64(kMax<i32>) : x < kMin<i32> ? i64(kMin<i32>) : x);
}
i32 add_sat(i32 a, i32 b) {
  return clamp32(i64(a) + b);
}
i32 sub_sat(i32 a, i32 b) {
  return clamp32(i64(a) - b);
}
i32 mad_hi_sat(i32 a, i32 b, i32 c) {
  return clamp32(i64(mul_hi<i32>(a, b)) + c);
}

/// The low 24 bits, sign extended for signed types.
template <class T>
T low24(T a) {
  return T(T(u32(a) << 8) >> 8);
}
template <class T>
T mul24_lo(T a, T b) {
  return T(Wide<T>(low24<T>(a)) * low24<T>(b));
}
template <class T>
T mul24_hi(T a, T b) {
  return T((Wide<T>(low24<T>(a)) * low24<T>(b)) >> 16);
}
template <class T>
T mad24_lo(T a, T b, T c) {
  return add<T>(mul24_lo<T>(a, b), c);
}
template <class T>
T mad24_hi(T a, T b, T c) {
  return add<T>(mul24_hi<T>(a, b), c);
}
i32 mad24_hi_sat(i32 a, i32 b, i32 c) {
  return clamp32(i64(mul24_hi<i32>(a, b)) + c);
}

template <class T>
T sad(T a, T b, T c) {
  return add<T>(c, a < b ? sub<T>(b, a) : sub<T>(a, b));
}
template <class T>
T divide(T a, T b) {
  if (b == 0) return T(~u64{0});
  if (kSigned<T> && b == T(-1)) return sub<T>(0, a);
  return T(a / b);
}
template <class T>
T remainder(T a, T b) {
  if (b == 0) return a;
  if (kSigned<T> && b == T(-1)) return 0;
  return T(a % b);
}
template <class T>
T absolute(T a) {
  return a < 0 ? sub<T>(0, a) : a;
}
template <class T>
T negate(T a) {
  return sub<T>(0, a);
}
template <class T>
T minimum(T a, T b) {
  return a < b ? a : b;
}
template <class T>
T maximum(T a, T b) {
  return a < b ? b : a;
}
template <class T>
T min_relu(T a, T b) {
  return maximum<T>(minimum<T>(a, b), 0);
}
template <class T>
T max_relu(T a, T b) {
  return maximum<T>(maximum<T>(a, b), 0);
}

/// Two 16-bit lanes in one word.
template <class T, T (*F)(T, T)>
u32 both(u32 a, u32 b) {
  return u32(u16(F(T(a), T(b)))) | u32(u16(F(T(a >> 16), T(b >> 16)))) << 16;
}

/// dp4a, dp2a: four bytes of a; of b four bytes, or two halves by two bytes.
template <class A, class B>
u32 dp4a(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i) c += u32(i32(A(a >> (8 * i))) * i32(B(b >> (8 * i))));
  return c;
}
template <class A, class B, int High>
u32 dp2a(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 2; ++i) c += u32(i32(A(a >> (16 * i))) * i32(B(b >> (8 * (i + 2 * High)))));
  return c;
}

#define BOTH_SIGNS(X, name, F) X(name ".u", F, u) X(name ".s", F, i)
#define T2(name, F, s) \
  CUPILOT_LANE(name "16", F<s##16>), CUPILOT_LANE(name "32", F<s##32>), CUPILOT_LANE(name "64", F<s##64>),
#define T2_WIDE(name, F, s) CUPILOT_LANE(name "16", F<s##16>), CUPILOT_LANE(name "32", F<s##32>),
#define T2_32(name, F, s) CUPILOT_LANE(name "32", F<s##32>),
#define DOT(name, u, s, F)                                             \
  CUPILOT_LANE(name ".u32.u32", F(std::uint##u##_t, std::uint8_t)),    \
      CUPILOT_LANE(name ".u32.s32", F(std::uint##u##_t, std::int8_t)), \
      CUPILOT_LANE(name ".s32.u32", F(std::int##s##_t, std::uint8_t)), \
      CUPILOT_LANE(name ".s32.s32", F(std::int##s##_t, std::int8_t)),
#define DP4A(A, B) dp4a<A, B>
#define DP2A_LO(A, B) dp2a<A, B, 0>
#define DP2A_HI(A, B) dp2a<A, B, 1>

constexpr LaneEntry kEntries[] = {
    BOTH_SIGNS(T2, "add", add) BOTH_SIGNS(T2, "sub", sub) BOTH_SIGNS(T2, "mul.lo", mul_lo) BOTH_SIGNS(
        T2, "mul.hi", mul_hi) BOTH_SIGNS(T2_WIDE, "mul.wide", mul_wide) BOTH_SIGNS(T2, "mad.lo", mad_lo)
        BOTH_SIGNS(T2, "mad.hi", mad_hi) BOTH_SIGNS(T2_WIDE, "mad.wide", mad_wide)
            BOTH_SIGNS(T2_32, "mul24.lo", mul24_lo) BOTH_SIGNS(T2_32, "mul24.hi", mul24_hi)
                BOTH_SIGNS(T2_32, "mad24.lo", mad24_lo) BOTH_SIGNS(T2_32, "mad24.hi", mad24_hi)
                    BOTH_SIGNS(T2, "sad", sad) BOTH_SIGNS(T2, "div", divide) BOTH_SIGNS(T2, "rem", remainder)
                        BOTH_SIGNS(T2, "min", minimum) BOTH_SIGNS(T2, "max", maximum) T2("abs.s", absolute, i)
                            T2("neg.s", negate, i) CUPILOT_LANE("add.sat.s32", add_sat),
    CUPILOT_LANE("sub.sat.s32", sub_sat),
    CUPILOT_LANE("mad.hi.sat.s32", mad_hi_sat),
    CUPILOT_LANE("mad24.hi.sat.s32", mad24_hi_sat),
    CUPILOT_LANE("min.relu.s32", min_relu<i32>),
    CUPILOT_LANE("max.relu.s32", max_relu<i32>),
    CUPILOT_LANE("add.u16x2", both<u16, add<u16>>),
    CUPILOT_LANE("add.s16x2", both<i16, add<i16>>),
    CUPILOT_LANE("sub.u16x2", both<u16, sub<u16>>),
    CUPILOT_LANE("sub.s16x2", both<i16, sub<i16>>),
    CUPILOT_LANE("min.u16x2", both<u16, minimum<u16>>),
    CUPILOT_LANE("min.s16x2", both<i16, minimum<i16>>),
    CUPILOT_LANE("max.u16x2", both<u16, maximum<u16>>),
    CUPILOT_LANE("max.s16x2", both<i16, maximum<i16>>),
    CUPILOT_LANE("min.relu.s16x2", both<i16, min_relu<i16>>),
    CUPILOT_LANE("max.relu.s16x2", both<i16, max_relu<i16>>),
    DOT("dp4a", 8, 8, DP4A) DOT("dp2a.lo", 16, 16, DP2A_LO) DOT("dp2a.hi", 16, 16, DP2A_HI)};

}  // namespace

LaneTable integer_table() {
  return {kEntries, sizeof(kEntries) / sizeof(kEntries[0])};
}

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
