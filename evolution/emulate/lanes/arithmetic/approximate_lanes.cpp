// SPDX-License-Identifier: Apache-2.0
//
// .approx instructions. The hardware uses its own tables, so results cannot be bitwise equal. Here they are
// computed in double and rounded, well within the documented errors, and may then be moved by a last bit, so
// that no code can tell by them where it runs. They use polynomials and not calls, so that loops over lanes
// become vector code.

#include "evolution/emulate/lanes/arithmetic/series.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

template <bool Flush>
float ex2(float a) {
  const float r = float(exp2_double(double(flush_if<Flush>(a))));
  return finished<Flush, false>(a != a ? a : r);
}
template <bool Flush>
float lg2(float b) {
  const float a = flush_if<Flush>(b);
  const u64 bits = bits_as<u64>(double(a));
  // The exponent counted from sqrt(1/2), so that the mantissa lies about 1.
  const u64 from = bits - 0x3fe6a09e667f3bcdULL;
  const double whole =
      bits_as<double>(((from + (u64(1024) << 52)) >> 52) | bits_as<u64>(0x1p52)) - (0x1p52 + 1024);
  const double m = bits_as<double>(bits - (from & 0xfff0000000000000ULL));
  const double t = (m - 1) / (m + 1), t2 = t * t;
  double p = 1.0 / 13;
  p = p * t2 + 1.0 / 11;
  p = p * t2 + 1.0 / 9;
  p = p * t2 + 1.0 / 7;
  p = p * t2 + 1.0 / 5;
  p = p * t2 + 1.0 / 3;
  p = p * t2 + 1;
  float r = float(whole + p * t * 2.88539008177792681472);
  r = a == 0 ? -__builtin_inff() : r;
  r = a < 0 || a != a ? __builtin_nanf("") : r;
  return finished<Flush, false>(a == __builtin_inff() ? a : r);
}

/// sin(a + quarters * pi/2) for |a| below 2^30.
inline double sine(double a, double quarters) {
  const double n = nearest(a * 0.63661977236758134308);
  const double x = (a - n * 1.57079632679489655800) - n * 6.12323399573676603587e-17, x2 = x * x;
  double s = 1.0 / 362880;
  s = s * x2 - 1.0 / 5040;
  s = s * x2 + 1.0 / 120;
  s = s * x2 - 1.0 / 6;
  s = s * x2 * x + x;
  double c = -1.0 / 3628800;
  c = c * x2 + 1.0 / 40320;
  c = c * x2 - 1.0 / 720;
  c = c * x2 + 1.0 / 24;
  c = c * x2 - 0.5;
  c = c * x2 + 1;
  const u64 quarter = bits_as<u64>(n + quarters + 0x1.8p52) & 3;
  const double r = quarter & 1 ? c : s;
  return quarter & 2 ? -r : r;
}
/// Beyond 2^30 hardware's reduction has no digits left either; infinity gives NaN.
template <bool Flush, int Quarters>
float sine_approx(float b) {
  const float a = flush_if<Flush>(b);
  const bool far = !(__builtin_fabsf(a) < 0x1p30F);
  const float r = float(sine(far ? 0.0 : double(a), Quarters));
  const float zero_kept = Quarters == 0 && a == 0 ? a : r;
  return finished<Flush, false>(a - a != 0 ? __builtin_nanf("") : zero_kept);
}
template <bool Flush>
float tanh_approx(float a) {
  return finished<Flush, false>(hyperbolic_tangent(flush_if<Flush>(a)));
}

template <bool Flush>
float reciprocal(float a) {
  return finished<Flush, false>(1.0F / flush_if<Flush>(a));
}
template <bool Flush>
float root(float a) {
  return finished<Flush, false>(__builtin_sqrtf(flush_if<Flush>(a)));
}
template <bool Flush>
float reciprocal_root(float a) {
  return finished<Flush, false>(float(1.0 / __builtin_sqrt(double(flush_if<Flush>(a)))));
}
/// Divisors above 2^126 give zero, or NaN for infinity by them.
template <bool Flush>
float divide(float x, float y) {
  const float a = flush_if<Flush>(x), b = flush_if<Flush>(y), size = __builtin_fabsf(b);
  const bool huge = size > 0x1p126F && size < __builtin_inff();
  const float r = huge ? a * bits_as<float>(bits_as<u32>(b) & 0x80000000) : a / b;
  return finished<Flush, false>(r);
}
template <bool Flush>
float divide_full(float a, float b) {
  return finished<Flush, false>(flush_if<Flush>(a) / flush_if<Flush>(b));
}

/// The .f64 forms look at the upper word only, flush, and give an upper word.
inline double upper_word(double a) {
  const u64 bits = bits_as<u64>(a) & 0xffffffff00000000ULL;
  return bits_as<double>((bits & 0x7ff0000000000000ULL) == 0 ? bits & 0x8000000000000000ULL : bits);
}
double reciprocal_gross(double a) {
  return upper_word(1.0 / upper_word(a));
}
double reciprocal_root_gross(double a) {
  return upper_word(1.0 / __builtin_sqrt(upper_word(a)));
}
double reciprocal_root_double(double a) {
  return 1.0 / __builtin_sqrt(a);
}

/// Moves one result in eight up or down by at most `Most` of its last bits, as `chip` and the result itself
/// pick. Results stay what they are where many of their last bits are zero: the exact ones (2^3, 1/4, the
/// root of 9) are among them, and those that are no normal numbers. None crosses a power of two, so that what
/// is at most one stays so.
template <unsigned Most>
inline float moved(float r, u32 chip) {
  constexpr u32 kLastBits = 0xfff, kMantissa = 0x7fffff, kSign = 0x80000000, kExponent = 0x7f800000;
  const u32 bits = bits_as<u32>(r);
  u32 h = (bits & ~kSign) ^ chip;  // of murmur3: its finaliser
  h = (h ^ (h >> 16)) * 0x85ebca6b;
  h = (h ^ (h >> 13)) * 0xc2b2ae35;
  h ^= h >> 16;
  const u32 by = 1 + (h >> 8) % Most;
  const u32 other = (h & 7) != 0 ? bits : h & 8 ? bits + by : bits - by;
  const bool kept = (bits & kLastBits) == 0 || (bits & kExponent) == 0 || (bits & kExponent) == kExponent ||
                    ((bits ^ other) & ~kMantissa) != 0;
  return kept ? r : bits_as<float>(other);
}

/// The handler of F whose results are moved.
template <auto F, unsigned Most>
struct Near {
  static constexpr auto &uses = Lanewise<F>::uses;
  static void run(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    Lanewise<F>::run(warp, step, mask);
    const u32 chip = static_cast<u32>(frame_of(warp).chip ^ (frame_of(warp).chip >> 32));
    if (chip == 0) return;
    float *to = lanes_at<float>(warp, step.at[0]);
    for_lanes<float>(warp, step.at[0], mask, [=](int i) { return moved<Most>(to[i], chip); });
  }
};
#define NEAR(name, most, ...) {name, Near<__VA_ARGS__, most>::run, Near<__VA_ARGS__, most>::uses}

#define BOTH(name, F) NEAR(name ".approx.f32", 1, F<false>), NEAR(name ".approx.ftz.f32", 1, F<true>)

constexpr LaneEntry kEntries[] = {
    BOTH("ex2", ex2),
    BOTH("lg2", lg2),
    NEAR("sin.approx.f32", 4, sine_approx<false, 0>),
    NEAR("sin.approx.ftz.f32", 4, sine_approx<true, 0>),
    NEAR("cos.approx.f32", 4, sine_approx<false, 1>),
    NEAR("cos.approx.ftz.f32", 4, sine_approx<true, 1>),
    NEAR("tanh.approx.f32", 16, tanh_approx<false>),
    BOTH("rcp", reciprocal),
    BOTH("sqrt", root),
    BOTH("rsqrt", reciprocal_root),
    BOTH("div", divide),
    NEAR("div.full.f32", 1, divide_full<false>),
    NEAR("div.full.ftz.f32", 1, divide_full<true>),
    CUPILOT_LANE("rcp.approx.ftz.f64", reciprocal_gross),
    CUPILOT_LANE("rsqrt.approx.ftz.f64", reciprocal_root_gross),
    CUPILOT_LANE("rsqrt.approx.f64", reciprocal_root_double),
};

}  // namespace

LaneTable approximate_table() {
  return {kEntries, sizeof(kEntries) / sizeof(kEntries[0])};
}

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
