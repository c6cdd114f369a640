// SPDX-License-Identifier: Apache-2.0
//
// Floating formats for references: a value as a long double, and back with one rounding by arithmetic on
// multiples of the last place. The handlers do the same on bits.

#pragma once

#include <cstdint>

namespace cupilot::opcodes {

struct Real {
  int bits, mantissa, bias;
  enum class Top : std::uint8_t { infinity_and_nan, one_nan, numbers } top = Top::infinity_and_nan;
  std::uint64_t nan = 0;
  int shift = 0;  ///< unused low bits (tf32)
};
inline constexpr Real kF16{16, 10, 15, Real::Top::infinity_and_nan, 0x7fff};
inline constexpr Real kBf16{16, 7, 127, Real::Top::infinity_and_nan, 0x7fff};
inline constexpr Real kTf32{19, 10, 127, Real::Top::infinity_and_nan, 0x3ffff, 13};
inline constexpr Real kF32{32, 23, 127, Real::Top::infinity_and_nan, 0x7fffffff};
inline constexpr Real kF64{64, 52, 1023, Real::Top::infinity_and_nan, 0x7ff8000000000000};
inline constexpr Real kE4m3{8, 3, 7, Real::Top::one_nan, 0x7f};
inline constexpr Real kE5m2{8, 2, 15, Real::Top::infinity_and_nan, 0x7f};
inline constexpr Real kE2m3{6, 3, 1, Real::Top::numbers};
inline constexpr Real kE3m2{6, 2, 3, Real::Top::numbers};
inline constexpr Real kE2m1{4, 1, 1, Real::Top::numbers};

enum class Mode : std::uint8_t { nearest, zero, down, up, away };  ///< away: nearest, ties away from zero

long double decode(std::uint64_t bits, const Real &real);
/// `finite`: too large becomes the largest number (.satfinite).
std::uint64_t encode(long double value, const Real &real, Mode mode = Mode::nearest, bool finite = false);
long double rounded_to_integer(long double value, Mode mode);

/// The processor rounds like this while it lives.
class Rounding {
public:
  explicit Rounding(Mode mode);
  ~Rounding();
  Rounding(const Rounding &) = delete;
  Rounding &operator=(const Rounding &) = delete;

private:
  int before_;
};

/// Rounded to the format's precision as if exponents had no end: below its normal numbers? What .ftz flushes.
bool is_tiny(long double value, const Real &real, Mode mode = Mode::nearest);

/// a * b + c with a sticky last bit: rounding it once more, to at most 51 bits, is exact.
double fused_to_odd(double a, double b, double c);

}  // namespace cupilot::opcodes
