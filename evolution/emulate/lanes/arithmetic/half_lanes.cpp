// SPDX-License-Identifier: Apache-2.0
//
// f16 and bf16 arithmetic, one or two values a register: PTX ISA 9.7.4. Values are widened to f32, where sums
// and f16 products are exact enough to round once more; other results are rounded to odd first.

#include "evolution/emulate/lanes/arithmetic/half.h"
#include "evolution/emulate/lanes/arithmetic/series.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

struct F16 {
  static constexpr u16 kExponent = 0x7c00;
  template <int Count>
  static void widen(const u16 *from, float *to) {
    widen_f16<Count>(from, to);
  }
  template <int Count>
  static void narrow(const float *from, u16 *to) {
    narrow_f16<Count>(from, to);
  }
};
struct Bf16 {
  static constexpr u16 kExponent = 0x7f80;
  template <int Count>
  static void widen(const u16 *from, float *to) {
    widen_bf16<Count>(from, to);
  }
  template <int Count>
  static void narrow(const float *from, u16 *to) {
    narrow_bf16<Count>(from, to);
  }
};

/// Exponent: the format's exponent bits.
template <u16 Exponent = 0x7c00>
inline u16 flushed_half(u16 a) {
  return (a & Exponent) == 0 ? u16(a & 0x8000) : a;
}

/// Results that one rounding makes right; bf16 has f32's exponents, so only double has room for its products.
template <bool Brain>
struct Operation {
  static float add(float a, float b, float) { return a + b; }
  static float sub(float a, float b, float) { return a - b; }
  static float mul(float a, float b, float) { return Brain ? float_to_odd(double(a) * double(b)) : a * b; }
  static float fma(float a, float b, float c) {
    if constexpr (Brain)
      return float_to_odd(sum_to_odd<double>(double(a) * double(b), double(c)));
    else
      return sum_to_odd<float>(a * b, c);
  }
  static float ex2(float a, float, float) { return float(exp2_double(double(a))); }
  static float tanh(float a, float, float) { return hyperbolic_tangent(a); }
  template <bool Nan>
  static float min(float a, float b, float) {
    return smaller<float, Nan>(a, b);
  }
  template <bool Nan>
  static float max(float a, float b, float) {
    return larger<float, Nan>(a, b);
  }
  template <bool Nan>
  static float min_xorsign(float a, float b, float) {
    return signed_like(a, b, smaller<float, Nan>(__builtin_fabsf(a), __builtin_fabsf(b)));
  }
  template <bool Nan>
  static float max_xorsign(float a, float b, float) {
    return signed_like(a, b, larger<float, Nan>(__builtin_fabsf(a), __builtin_fabsf(b)));
  }
  static float signed_like(float a, float b, float magnitude) {
    return bits_as<float>(bits_as<u32>(magnitude) | ((bits_as<u32>(a) ^ bits_as<u32>(b)) & 0x80000000));
  }
};

enum class End { none, saturate, relu };
template <End E>
inline float ended(float a) {
  if constexpr (E == End::saturate) return saturated(a);
  if constexpr (E == End::relu) return a <= 0 ? 0.0F : a;
  return a;
}

/// Count values in 32 lanes: 32 in 16-bit registers, 64 in 32-bit ones.
template <class Format, int Count, int Operands, float (*F)(float, float, float), bool Flush = false,
          End E = End::none>
struct Half {
  static constexpr char kRead = Count == 32 ? 'h' : 'w';
  static constexpr char uses[] = {written(kRead), kRead, Operands > 1 ? kRead : '\0',
                                  Operands > 2 ? kRead : '\0', 0};

  static void run(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    alignas(64) float in[3][Count], r[Count];
    alignas(64) u16 out[Count];
    for (int n = 0; n < Operands; ++n) read(lanes_at<u16>(warp, step.at[n + 1]), in[n]);
    for (int n = Operands; n < 3; ++n) __builtin_memset(in[n], 0, sizeof(in[n]));
    for (int i = 0; i < Count; ++i) r[i] = ended<E>(F(in[0][i], in[1][i], in[2][i]));
    // Tiny after rounding to eleven bits as if exponents had no end; the tie goes up.
    if constexpr (Flush && Format::kExponent == 0x7c00) {
      for (int i = 0; i < Count; ++i)
        r[i] = __builtin_fabsf(r[i]) < 0x1.ffep-15F ? __builtin_copysignf(0.0F, r[i]) : r[i];
    }
    Format::template narrow<Count>(r, out);
    if constexpr (Flush) {
      for (int i = 0; i < Count; ++i) out[i] = flushed_half<Format::kExponent>(out[i]);
    }
    if constexpr (Count == 32)
      store(warp, step.at[0], out, mask);
    else
      store(warp, step.at[0], reinterpret_cast<const u32 *>(out), mask);
  }
  static void read(const u16 *from, float *to) {
    if constexpr (Flush) {
      alignas(64) u16 clean[Count];
      for (int i = 0; i < Count; ++i) clean[i] = flushed_half<Format::kExponent>(from[i]);
      Format::template widen<Count>(clean, to);
    } else {
      Format::template widen<Count>(from, to);
    }
  }
};

// Signs are bits.
template <class U, U Sign>
U negate(U a) {
  return U(a ^ Sign);
}
template <class U, U Sign>
U absolute(U a) {
  return U(a & U(~Sign));
}
template <class U, U (*F)(U)>
U flushing(U a) {
  if constexpr (sizeof(U) == 2)
    return F(flushed_half(a));
  else
    return F(u32(flushed_half(u16(a))) | u32(flushed_half(u16(a >> 16))) << 16);
}

#define ENTRY(name, ...) {name, Half<__VA_ARGS__>::run, Half<__VA_ARGS__>::uses}
#define BOTH(name, words, f16, operands, op, ...)                                           \
  ENTRY(name words "." #f16, f16##_format, 32, operands, f16##_operation::op, __VA_ARGS__), \
      ENTRY(name words "." #f16 "x2", f16##_format, 64, operands, f16##_operation::op, __VA_ARGS__)
using f16_format = F16;
using bf16_format = Bf16;
using f16_operation = Operation<false>;
using bf16_operation = Operation<true>;

#define ARITHMETIC(name, n, op)                                                                  \
  BOTH(name, "", f16, n, op, false, End::none), BOTH(name, ".ftz", f16, n, op, true, End::none), \
      BOTH(name, ".sat", f16, n, op, false, End::saturate),                                      \
      BOTH(name, ".ftz.sat", f16, n, op, true, End::saturate), BOTH(name, "", bf16, n, op, false, End::none)
#define EXTREME(name, op)                                                              \
  BOTH(name, "", f16, 2, op<false>, false, End::none),                                 \
      BOTH(name, ".ftz", f16, 2, op<false>, true, End::none),                          \
      BOTH(name, ".NaN", f16, 2, op<true>, false, End::none),                          \
      BOTH(name, ".ftz.NaN", f16, 2, op<true>, true, End::none),                       \
      BOTH(name, ".xorsign.abs", f16, 2, op##_xorsign<false>, false, End::none),       \
      BOTH(name, ".ftz.xorsign.abs", f16, 2, op##_xorsign<false>, true, End::none),    \
      BOTH(name, ".NaN.xorsign.abs", f16, 2, op##_xorsign<true>, false, End::none),    \
      BOTH(name, ".ftz.NaN.xorsign.abs", f16, 2, op##_xorsign<true>, true, End::none), \
      BOTH(name, "", bf16, 2, op<false>, false, End::none),                            \
      BOTH(name, ".NaN", bf16, 2, op<true>, false, End::none),                         \
      BOTH(name, ".xorsign.abs", bf16, 2, op##_xorsign<false>, false, End::none),      \
      BOTH(name, ".NaN.xorsign.abs", bf16, 2, op##_xorsign<true>, false, End::none)
#define SIGN(name, F)                                                                                    \
  CUPILOT_LANE(name ".f16", F<u16, 0x8000>), CUPILOT_LANE(name ".bf16", F<u16, 0x8000>),                 \
      CUPILOT_LANE(name ".f16x2", F<u32, 0x80008000>), CUPILOT_LANE(name ".bf16x2", F<u32, 0x80008000>), \
      CUPILOT_LANE(name ".ftz.f16", flushing<u16, F<u16, 0x8000>>),                                      \
      CUPILOT_LANE(name ".ftz.f16x2", flushing<u32, F<u32, 0x80008000>>)

constexpr LaneEntry kEntries[] = {
    ARITHMETIC("add", 2, add),
    ARITHMETIC("sub", 2, sub),
    ARITHMETIC("mul", 2, mul),
    ARITHMETIC("fma", 3, fma),
    BOTH("fma", ".relu", f16, 3, fma, false, End::relu),
    BOTH("fma", ".ftz.relu", f16, 3, fma, true, End::relu),
    BOTH("fma", ".relu", bf16, 3, fma, false, End::relu),
    EXTREME("min", min),
    EXTREME("max", max),
    SIGN("neg", negate),
    SIGN("abs", absolute),
    BOTH("ex2", ".approx", f16, 1, ex2, false, End::none),
    BOTH("ex2", ".approx.ftz", bf16, 1, ex2, true, End::none),
    BOTH("tanh", ".approx", f16, 1, tanh, false, End::none),
    BOTH("tanh", ".approx", bf16, 1, tanh, false, End::none),
};

}  // namespace

LaneTable half_table() {
  return {kEntries, sizeof(kEntries) / sizeof(kEntries[0])};
}

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
