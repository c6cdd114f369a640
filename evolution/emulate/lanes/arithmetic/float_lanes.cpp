// SPDX-License-Identifier: Apache-2.0
//
// f32 and f64 arithmetic that rounds to nearest: PTX ISA 9.7.3.

#include "evolution/emulate/lanes/arithmetic/real.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

template <class T, bool Flush = false, bool Saturate = false>
T add(T a, T b) {
  return finished<Flush, Saturate>(flush_if<Flush>(a) + flush_if<Flush>(b));
}
template <class T, bool Flush = false, bool Saturate = false>
T sub(T a, T b) {
  return finished<Flush, Saturate>(flush_if<Flush>(a) - flush_if<Flush>(b));
}
template <class T, bool Flush = false, bool Saturate = false>
T mul(T x, T y) {
  const T a = flush_if<Flush>(x), b = flush_if<Flush>(y);
  if constexpr (Flush)
    return finished_raised<Saturate>(a * b, a * kRaise * b);
  else
    return finished<Flush, Saturate>(a * b);
}
template <class T, bool Flush = false, bool Saturate = false>
T fma(T x, T y, T z) {
  const T a = flush_if<Flush>(x), b = flush_if<Flush>(y), c = flush_if<Flush>(z);
  if constexpr (Flush)
    return finished_raised<Saturate>(fused(a, b, c), fused(a * kRaise, b, c * kRaise));
  else
    return finished<Flush, Saturate>(fused(a, b, c));
}
template <class T, bool Flush = false>
T divide(T x, T y) {
  const T a = flush_if<Flush>(x), b = flush_if<Flush>(y);
  if constexpr (Flush)
    return finished_raised<false>(a / b, a * kRaise / b);
  else
    return finished<Flush, false>(a / b);
}
template <class T, bool Flush = false>
T reciprocal(T a) {
  return finished<Flush, false>(T(1) / flush_if<Flush>(a));
}
inline float root(float a) {
  return __builtin_sqrtf(a);
}
inline double root(double a) {
  return __builtin_sqrt(a);
}
template <class T, bool Flush = false>
T square_root(T a) {
  return finished<Flush, false>(root(flush_if<Flush>(a)));
}
template <class T, bool Flush = false>
T negate(T a) {
  return -flush_if<Flush>(a);
}
inline float magnitude(float a) {
  return __builtin_fabsf(a);
}
inline double magnitude(double a) {
  return __builtin_fabs(a);
}
template <class T, bool Flush = false>
T absolute(T a) {
  return magnitude(flush_if<Flush>(a));
}
/// The sign of a on b.
template <class T>
T copysign(T a, T b) {
  using U = typename Unsigned<T>::type;
  constexpr U kSign = U(1) << (8 * sizeof(T) - 1);
  return bits_as<T>((bits_as<U>(b) & ~kSign) | (bits_as<U>(a) & kSign));
}

template <class T, bool Flush = false, bool Nan = false>
T minimum(T a, T b) {
  return canonical(smaller<T, Nan>(flush_if<Flush>(a), flush_if<Flush>(b)));
}
template <class T, bool Flush = false, bool Nan = false>
T maximum(T a, T b) {
  return canonical(larger<T, Nan>(flush_if<Flush>(a), flush_if<Flush>(b)));
}
template <bool Flush, bool Nan>
float minimum3(float a, float b, float c) {
  return minimum<float, Flush, Nan>(minimum<float, Flush, Nan>(a, b), c);
}
template <bool Flush, bool Nan>
float maximum3(float a, float b, float c) {
  return maximum<float, Flush, Nan>(maximum<float, Flush, Nan>(a, b), c);
}
/// .xorsign.abs: of the magnitudes, with the product's sign; a NaN result is canonical.
template <float (*F)(float, float)>
float xorsign(float a, float b) {
  const float r = F(__builtin_fabsf(a), __builtin_fabsf(b));
  const u32 sign = (bits_as<u32>(a) ^ bits_as<u32>(b)) & 0x80000000;
  return r != r ? canonical(r) : bits_as<float>(bits_as<u32>(r) | sign);
}
/// The three-input form knows .abs only.
template <float (*F)(float, float, float)>
float magnitudes3(float a, float b, float c) {
  return F(__builtin_fabsf(a), __builtin_fabsf(b), __builtin_fabsf(c));
}

/// Two f32 in one 64-bit register.
template <float (*F)(float, float)>
u64 pairwise(u64 a, u64 b) {
  const float low = F(bits_as<float>(u32(a)), bits_as<float>(u32(b)));
  const float high = F(bits_as<float>(u32(a >> 32)), bits_as<float>(u32(b >> 32)));
  return u64(bits_as<u32>(low)) | u64(bits_as<u32>(high)) << 32;
}
template <float (*F)(float, float, float)>
u64 pairwise3(u64 a, u64 b, u64 c) {
  const float low = F(bits_as<float>(u32(a)), bits_as<float>(u32(b)), bits_as<float>(u32(c)));
  const float high =
      F(bits_as<float>(u32(a >> 32)), bits_as<float>(u32(b >> 32)), bits_as<float>(u32(c >> 32)));
  return u64(bits_as<u32>(low)) | u64(bits_as<u32>(high)) << 32;
}

#define ARITHMETIC(name, F)                                                           \
  CUPILOT_LANE(name ".f32", F<float>), CUPILOT_LANE(name ".ftz.f32", F<float, true>), \
      CUPILOT_LANE(name ".sat.f32", F<float, false, true>),                           \
      CUPILOT_LANE(name ".ftz.sat.f32", F<float, true, true>), CUPILOT_LANE(name ".f64", F<double>)
#define PLAIN(name, F)                                                                \
  CUPILOT_LANE(name ".f32", F<float>), CUPILOT_LANE(name ".ftz.f32", F<float, true>), \
      CUPILOT_LANE(name ".f64", F<double>)
#define EXTREME(name, F, F3)                                                                               \
  PLAIN(name, F), CUPILOT_LANE(name ".NaN.f32", F<float, false, true>),                                    \
      CUPILOT_LANE(name ".ftz.NaN.f32", F<float, true, true>),                                             \
      CUPILOT_LANE(name ".xorsign.abs.f32", xorsign<F<float, false, false>>),                              \
      CUPILOT_LANE(name ".NaN.xorsign.abs.f32", xorsign<F<float, false, true>>),                           \
      CUPILOT_LANE(name ".ftz.xorsign.abs.f32", xorsign<F<float, true, false>>),                           \
      CUPILOT_LANE(name ".ftz.NaN.xorsign.abs.f32", xorsign<F<float, true, true>>),                        \
      CUPILOT_LANE(name "3.f32", F3<false, false>), CUPILOT_LANE(name "3.NaN.f32", F3<false, true>),       \
      CUPILOT_LANE(name "3.ftz.f32", F3<true, false>), CUPILOT_LANE(name "3.ftz.NaN.f32", F3<true, true>), \
      CUPILOT_LANE(name "3.abs.f32", magnitudes3<F3<false, false>>),                                       \
      CUPILOT_LANE(name "3.NaN.abs.f32", magnitudes3<F3<false, true>>),                                    \
      CUPILOT_LANE(name "3.ftz.abs.f32", magnitudes3<F3<true, false>>),                                    \
      CUPILOT_LANE(name "3.ftz.NaN.abs.f32", magnitudes3<F3<true, true>>)

constexpr LaneEntry kEntries[] = {
    ARITHMETIC("add", add),
    ARITHMETIC("sub", sub),
    ARITHMETIC("mul", mul),
    ARITHMETIC("fma", fma),
    PLAIN("div", divide),
    PLAIN("rcp", reciprocal),
    PLAIN("sqrt", square_root),
    PLAIN("neg", negate),
    PLAIN("abs", absolute),
    CUPILOT_LANE("copysign.f32", copysign<float>),
    CUPILOT_LANE("copysign.f64", copysign<double>),
    EXTREME("min", minimum, minimum3),
    EXTREME("max", maximum, maximum3),
    CUPILOT_LANE("add.f32x2", pairwise<add<float>>),
    CUPILOT_LANE("add.ftz.f32x2", pairwise<add<float, true>>),
    CUPILOT_LANE("sub.f32x2", pairwise<sub<float>>),
    CUPILOT_LANE("sub.ftz.f32x2", pairwise<sub<float, true>>),
    CUPILOT_LANE("mul.f32x2", pairwise<mul<float>>),
    CUPILOT_LANE("mul.ftz.f32x2", pairwise<mul<float, true>>),
    CUPILOT_LANE("fma.f32x2", pairwise3<fma<float>>),
    CUPILOT_LANE("fma.ftz.f32x2", pairwise3<fma<float, true>>),
};

}  // namespace

LaneTable float_table() {
  return {kEntries, sizeof(kEntries) / sizeof(kEntries[0])};
}

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
