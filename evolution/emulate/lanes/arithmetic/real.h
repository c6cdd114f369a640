// SPDX-License-Identifier: Apache-2.0
//
// PTX's additions to IEEE 754 for f32 and f64, for one lane: .ftz, .sat, the canonical NaN, and a fused
// multiply-add for processors without one. There are no branches, so that loops over lanes become vector
// code.

#pragma once

#include "evolution/emulate/lanes/arithmetic/lane.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

constexpr std::uint32_t kCanonicalNan = 0x7fffffff;

/// Replaces subnormals by zero of the same sign.
inline float flushed(float a) {
  const std::uint32_t bits = bits_as<std::uint32_t>(a);
  return bits_as<float>((bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits);
}
template <bool Flush, class T>
inline T flush_if(T a) {
  if constexpr (Flush)
    return flushed(a);
  else
    return a;
}
inline float canonical(float a) {
  return a != a ? bits_as<float>(kCanonicalNan) : a;
}
inline double canonical(double a) {
  return a;
}

/// A result is flushed when it is tiny after rounding with an unbounded exponent, which is not the same as
/// being subnormal. The same operation on operands multiplied by kRaise (`raised`) shows which it is.
constexpr float kRaise = 0x1p24F;
template <class T>
inline T flush_raised(T a, T raised) {
  const bool tiny = __builtin_fabsf(raised) < 0x1p-102F;
  return tiny ? bits_as<float>(bits_as<std::uint32_t>(a) & 0x80000000) : a;
}

/// Clamps to [0, 1]; NaN and -0 become +0.
template <class T>
inline T saturated(T a) {
  return a > T(0) ? (a < T(1) ? a : T(1)) : T(0);
}

/// The last step of every f32 or f64 operation.
template <bool Flush, bool Saturate, class T>
inline T finished(T a) {
  if constexpr (Saturate)
    return saturated(flush_if<Flush>(a));
  else
    return canonical(flush_if<Flush>(a));
}

/// p + c rounded to odd, so that rounding the result again to fewer bits is correct.
template <class T>
inline T sum_to_odd(T p, T c) {
  using U = typename Unsigned<T>::type;
  const T s = p + c, back = s - p;
  const T error = (p - (s - back)) + (c - back);
  const U bits = bits_as<U>(s);
  const bool grows = (error > 0) == (s > 0);
  const U odd = grows ? bits + 1 : bits - 1;
  return bits_as<T>((bits & 1) == 0 && (error > 0 || error < 0) ? odd : bits);
}

/// Like finished, for operations whose small results are not exact.
template <bool Saturate>
inline float finished_raised(float a, float raised) {
  const float r = flush_raised(a, raised);
  return Saturate ? saturated(r) : canonical(r);
}

inline double fused(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
#if defined(__FMA__) || defined(__aarch64__)
inline float fused(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
#else
/// The product is exact in double.
inline float fused(float a, float b, float c) {
  return float(sum_to_odd<double>(double(a) * double(b), double(c)));
}
#endif

/// -0 is less than +0; a number wins over NaN unless .NaN.
template <class T, bool Nan>
T smaller(T a, T b) {
  using U = typename Unsigned<T>::type;
  const T equal = bits_as<T>(bits_as<U>(a) | bits_as<U>(b));
  const T r = a < b ? a : b < a ? b : equal;
  if (Nan) return a != a ? a : b != b ? b : r;
  return a != a ? b : b != b ? a : r;
}
template <class T, bool Nan>
T larger(T a, T b) {
  using U = typename Unsigned<T>::type;
  const T equal = bits_as<T>(bits_as<U>(a) & bits_as<U>(b));
  const T r = a > b ? a : b > a ? b : equal;
  if (Nan) return a != a ? a : b != b ? b : r;
  return a != a ? b : b != b ? a : r;
}

}  // namespace
}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
