// SPDX-License-Identifier: Apache-2.0
//
// The most frequent conversions as vector code, for registers exactly as wide as the types; 8-bit types are
// in 16-bit registers. All others go through convert_any. Names: cvt.{rounding.}{ftz.}{sat.}to.from as PTX
// has them, without the default rounding.

#include "evolution/emulate/lanes/arithmetic/half.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

/// Through `Value`, which cuts the register to the type's own bits: i8 in a 16-bit register.
template <class To, class From, class Value>
To integer(From a) {
  return To(Value(a));
}
/// To an 8-bit type in a 16-bit register: cut, then extended again.
template <class Value, class From>
u16 to_byte(From a) {
  return u16(i16(Value(a)));
}

/// NaN keep their sign and their upper bits.
template <class To, class From, bool Flush = false>
To real(From a) {
  if constexpr (Flush && sizeof(To) == 4) {
    const To r = To(a);
    return __builtin_fabs(a) < 0x1.ffffffp-127 ? __builtin_copysignf(0.0F, r) : r;
  } else {
    return To(flush_if<Flush>(a));
  }
}

enum class Toward { nearest, zero, down, up };
template <Toward Direction, class T>
inline T whole(T a) {
  if constexpr (sizeof(T) == 4) {
    switch (Direction) {
      case Toward::nearest:
        return __builtin_rintf(a);
      case Toward::zero:
        return __builtin_truncf(a);
      case Toward::down:
        return __builtin_floorf(a);
      case Toward::up:
        return __builtin_ceilf(a);
    }
  } else {
    switch (Direction) {
      case Toward::nearest:
        return __builtin_rint(a);
      case Toward::zero:
        return __builtin_trunc(a);
      case Toward::down:
        return __builtin_floor(a);
      case Toward::up:
        return __builtin_ceil(a);
    }
  }
}
template <class To>
constexpr bool kSigned = To(-1) < To(0);

/// Clamped to the type; NaN gives zero, or the top bit alone where either side has 64 bits.
template <class To, class From, Toward Direction, bool Flush>
To to_integer(From a) {
  constexpr int kBits = 8 * sizeof(To);
  constexpr From kBeyond = kSigned<To> ? From(u64(1) << (kBits - 1)) : From(u64(1) << (kBits - 1)) * 2;
  constexpr From kLeast = kSigned<To> ? -kBeyond : From(0);
  constexpr To kTop = To(u64(1) << (kBits - 1));
  constexpr To kMost = kSigned<To> ? To(u64(kTop) - 1) : To(~u64(0));
  constexpr To kNan = sizeof(To) == 8 || sizeof(From) == 8 ? kTop : To(0);
  const From x = whole<Direction>(flush_if<Flush>(a));
  const bool inside = x >= kLeast && x < kBeyond;
  const To r = To(inside ? x : From(0));
  const To clamped = x >= kBeyond ? kMost : kSigned<To> && x < kLeast ? kTop : r;
  return a != a ? kNan : clamped;
}
template <class T, Toward Direction, bool Flush = false>
T to_whole(T a) {
  return finished<Flush, false>(whole<Direction>(flush_if<Flush>(a)));
}
float saturate(float a) {
  return saturated(a);
}
float saturate_flushed(float a) {
  return saturated(flushed(a));
}
double saturate_double(double a) {
  return saturated(a);
}

/// Ten bits of the significand, ties away from zero; a carry into the exponent is right, up to infinity. Of
/// NaN, too, only the upper bits count.
u32 to_tf32(u32 a) {
  const u32 rounded = (a + 0x1000) & 0xffffe000;
  return (a & 0x7f800000) == 0x7f800000 ? a & 0xffffe000 : rounded;
}

template <void (*Widen)(const u16 *, float *), bool Canonical>
void from_half(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  alignas(64) float r[program::kLanes];
  Widen(lanes_at<u16>(warp, step.at[1]), r);
  // bf16 is the upper half of f32, whatever it means.
  if constexpr (Canonical) {
    for (int i = 0; i < program::kLanes; ++i) r[i] = canonical(r[i]);
  }
  store(warp, step.at[0], r, mask);
}
template <void (*Narrow)(const float *, u16 *)>
void to_half(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  alignas(64) u16 r[program::kLanes];
  Narrow(lanes_at<float>(warp, step.at[1]), r);
  store(warp, step.at[0], r, mask);
}
/// d = {a in the upper half, b in the lower}.
template <void (*Narrow)(const float *, u16 *)>
void to_two_halves(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  alignas(64) u16 high[program::kLanes], low[program::kLanes];
  Narrow(lanes_at<float>(warp, step.at[1]), high);
  Narrow(lanes_at<float>(warp, step.at[2]), low);
  for_lanes<u32>(warp, step.at[0], mask, [&](int i) { return u32(high[i]) << 16 | low[i]; });
}

#define FROM(to, To, from, From, Value) CUPILOT_LANE("cvt." to "." from, integer<To, From, Value>)
#define FROM_ALL(to, To)                                                                           \
  FROM(to, To, "u8", u16, u8), FROM(to, To, "s8", u16, i8), FROM(to, To, "u16", u16, u16),         \
      FROM(to, To, "s16", u16, i16), FROM(to, To, "u32", u32, u32), FROM(to, To, "s32", u32, i32), \
      FROM(to, To, "u64", u64, u64), FROM(to, To, "s64", u64, i64)
#define TO_BYTE(to, Value)                                                                                  \
  CUPILOT_LANE("cvt." to ".u16", to_byte<Value, u16>), CUPILOT_LANE("cvt." to ".s16", to_byte<Value, u16>), \
      CUPILOT_LANE("cvt." to ".u32", to_byte<Value, u32>),                                                  \
      CUPILOT_LANE("cvt." to ".s32", to_byte<Value, u32>),                                                  \
      CUPILOT_LANE("cvt." to ".u64", to_byte<Value, u64>),                                                  \
      CUPILOT_LANE("cvt." to ".s64", to_byte<Value, u64>)
#define REAL_FROM(to, To)                                                                           \
  CUPILOT_LANE("cvt." to ".u16", real<To, u16>), CUPILOT_LANE("cvt." to ".s16", real<To, i16>),     \
      CUPILOT_LANE("cvt." to ".u32", real<To, u32>), CUPILOT_LANE("cvt." to ".s32", real<To, i32>), \
      CUPILOT_LANE("cvt." to ".u64", real<To, u64>), CUPILOT_LANE("cvt." to ".s64", real<To, i64>)
#define INTEGER_FROM(round, D, from, From)                                      \
  CUPILOT_LANE("cvt." round ".s32." from, to_integer<i32, From, D, false>),     \
      CUPILOT_LANE("cvt." round ".u32." from, to_integer<u32, From, D, false>), \
      CUPILOT_LANE("cvt." round ".s64." from, to_integer<i64, From, D, false>), \
      CUPILOT_LANE("cvt." round ".u64." from, to_integer<u64, From, D, false>)
#define WHOLE(round, D)                                                           \
  INTEGER_FROM(round, D, "f32", float), INTEGER_FROM(round, D, "f64", double),    \
      CUPILOT_LANE("cvt." round ".ftz.s32.f32", to_integer<i32, float, D, true>), \
      CUPILOT_LANE("cvt." round ".ftz.u32.f32", to_integer<u32, float, D, true>), \
      CUPILOT_LANE("cvt." round ".f32.f32", to_whole<float, D>),                  \
      CUPILOT_LANE("cvt." round ".ftz.f32.f32", to_whole<float, D, true>),        \
      CUPILOT_LANE("cvt." round ".f64.f64", to_whole<double, D>)

constexpr LaneEntry kEntries[] = {
    FROM_ALL("u16", u16),
    FROM_ALL("s16", u16),
    FROM_ALL("u32", u32),
    FROM_ALL("s32", u32),
    FROM_ALL("u64", u64),
    FROM_ALL("s64", u64),
    TO_BYTE("u8", u8),
    TO_BYTE("s8", i8),
    REAL_FROM("f32", float),
    REAL_FROM("f64", double),
    CUPILOT_LANE("cvt.f32.f64", real<float, double>),
    CUPILOT_LANE("cvt.ftz.f32.f64", real<float, double, true>),
    CUPILOT_LANE("cvt.f64.f32", real<double, float>),
    CUPILOT_LANE("cvt.ftz.f64.f32", real<double, float, true>),
    WHOLE("rni", Toward::nearest),
    WHOLE("rzi", Toward::zero),
    WHOLE("rmi", Toward::down),
    WHOLE("rpi", Toward::up),
    CUPILOT_LANE("cvt.sat.f32.f32", saturate),
    CUPILOT_LANE("cvt.ftz.sat.f32.f32", saturate_flushed),
    CUPILOT_LANE("cvt.sat.f64.f64", saturate_double),
    CUPILOT_LANE("cvt.rna.tf32.f32", to_tf32),
    {"cvt.f32.f16", from_half<widen_f16<program::kLanes>, true>, "Wh"},
    {"cvt.f32.bf16", from_half<widen_bf16<program::kLanes>, false>, "Wh"},
    {"cvt.f16.f32", to_half<narrow_f16<program::kLanes>>, "Hf"},
    {"cvt.bf16.f32", to_half<narrow_bf16<program::kLanes>>, "Hf"},
    {"cvt.f16x2.f32", to_two_halves<narrow_f16<program::kLanes>>, "Wff"},
    {"cvt.bf16x2.f32", to_two_halves<narrow_bf16<program::kLanes>>, "Wff"},
};

}  // namespace

LaneTable convert_table() {
  return {kEntries, sizeof(kEntries) / sizeof(kEntries[0])};
}

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
