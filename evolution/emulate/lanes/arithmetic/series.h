// SPDX-License-Identifier: Apache-2.0
//
// 2^a and tanh(a) in double, for approximations of any narrower type.

#pragma once

#include "evolution/emulate/lanes/arithmetic/real.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

/// To the nearest integer, for |a| < 2^51.
inline double nearest(double a) {
  constexpr double kShift = 0x1.8p52;
  return (a + kShift) - kShift;
}
inline double power_of_two(double whole) {
  // 2^52 + 1023 + n keeps the biased exponent in the low bits of the mantissa.
  return bits_as<double>(bits_as<std::uint64_t>(whole + (0x1p52 + 1023)) << 52);
}
/// 2^a to about 2^-32, also for results no float can hold.
inline double exp2_double(double a) {
  a = a < -300 ? -300 : a > 300 ? 300 : a;
  const double whole = nearest(a), x = (a - whole) * 0.69314718055994530942;
  double p = 1.0 / 40320;
  p = p * x + 1.0 / 5040;
  p = p * x + 1.0 / 720;
  p = p * x + 1.0 / 120;
  p = p * x + 1.0 / 24;
  p = p * x + 1.0 / 6;
  p = p * x + 0.5;
  p = p * x + 1;
  p = p * x + 1;
  return p * power_of_two(whole);
}
inline float hyperbolic_tangent(float a) {
  const double x = double(__builtin_fabsf(a)), e = exp2_double(-2.8853900817779268 * x);
  const double large = (1 - e) / (1 + e), small = x - x * x * x * (1.0 / 3);
  const float r = __builtin_copysignf(float(x < 1e-3 ? small : large), a);
  return a != a ? a : r;
}

}  // namespace
}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
