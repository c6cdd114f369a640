// SPDX-License-Identifier: Apache-2.0
//
// Widening and multiplying. Products of two 8- to 19-bit floats are exact in float, so adding them one by one
// rounds the same with and without a fused instruction.

#include "evolution/emulate/lanes/matrix/matrix_kernels.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

inline float as_float(std::uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
inline std::uint32_t as_bits(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}

/// A float of `bits` bits with `mantissa` of them: shifted into place and scaled, so subnormals come out
/// right.
template <int bits, int mantissa>
inline float widen_small(std::uint32_t small) {
  constexpr int kExponent = bits - 1 - mantissa, kBias = (1 << (kExponent - 1)) - 1;
  constexpr std::uint32_t kMagnitude = (1u << (bits - 1)) - 1, kInfinity = ((1u << kExponent) - 1)
                                                                           << mantissa;
  const std::uint32_t magnitude = small & kMagnitude, sign = (small >> (bits - 1) & 1) << 31;
  const float scale = as_float(static_cast<std::uint32_t>(254 - kBias) << 23);
  const std::uint32_t finite = as_bits(as_float(magnitude << (23 - mantissa)) * scale);
  const std::uint32_t special = 0x7f800000u | (magnitude - kInfinity) << (23 - mantissa);
  return as_float(sign | (magnitude >= kInfinity ? special : finite));
}

struct OfF16 {
  static constexpr int kBits = 16;
  static float widen(std::uint32_t word) { return widen_small<16, 10>(word & 0xffff); }
};
struct OfBf16 {
  static constexpr int kBits = 16;
  static float widen(std::uint32_t word) { return as_float(word << 16); }
};
struct OfTf32 {
  static constexpr int kBits = 32;
  static float widen(std::uint32_t word) { return as_float(word & 0xffffe000u); }
};
struct OfE5m2 {
  static constexpr int kBits = 8;
  static float widen(std::uint32_t word) { return widen_small<8, 2>(word & 0xff); }
};
/// No infinity; all ones is the only NaN.
struct OfE4m3 {
  static constexpr int kBits = 8;
  static float widen(std::uint32_t word) {
    const std::uint32_t magnitude = word & 0x7f, sign = (word >> 7 & 1) << 31;
    const std::uint32_t finite = as_bits(as_float(magnitude << 20) * 0x1p120f);
    return as_float(sign | (magnitude == 0x7f ? 0x7fffffffu : finite));
  }
};
template <int bits, bool is_signed>
struct OfInteger {
  static constexpr int kBits = bits;
  static std::int32_t widen(std::uint32_t word) {
    const std::uint32_t top = word << (32 - bits);
    return is_signed ? static_cast<std::int32_t>(top) >> (32 - bits)
                     : static_cast<std::int32_t>(top >> (32 - bits));
  }
};

template <class Of, class T>
void widen_all(const std::uint32_t *words, int deep, int outer, T *to) {
  constexpr int kEach = 32 / Of::kBits;
  for (int word = 0; word < deep; ++word)
    for (int part = 0; part < kEach; ++part) {
      const std::uint32_t *from = words + word * outer;
      T *line = to + (word * kEach + part) * outer;
      for (int o = 0; o < outer; ++o) line[o] = Of::widen(from[o] >> (part * (Of::kBits % 32)));
    }
}

void widen_float(Element element, const std::uint32_t *words, int deep, int outer, float *to) {
  switch (element) {
    case Element::f16:
      return widen_all<OfF16>(words, deep, outer, to);
    case Element::bf16:
      return widen_all<OfBf16>(words, deep, outer, to);
    case Element::tf32:
      return widen_all<OfTf32>(words, deep, outer, to);
    case Element::e4m3:
      return widen_all<OfE4m3>(words, deep, outer, to);
    case Element::e5m2:
      return widen_all<OfE5m2>(words, deep, outer, to);
    default:
      return;
  }
}

void widen_integer(Element element, const std::uint32_t *words, int deep, int outer, std::int32_t *to) {
  switch (element) {
    case Element::s8:
      return widen_all<OfInteger<8, true>>(words, deep, outer, to);
    case Element::u8:
      return widen_all<OfInteger<8, false>>(words, deep, outer, to);
    case Element::s4:
      return widen_all<OfInteger<4, true>>(words, deep, outer, to);
    case Element::u4:
      return widen_all<OfInteger<4, false>>(words, deep, outer, to);
    default:
      return;
  }
}

constexpr int kWide = 8;
template <class T>
struct Eight {
  typedef T Vector __attribute__((vector_size(kWide * sizeof(T)), aligned(alignof(T)), may_alias));
};
using Floats = Eight<float>::Vector;
using Doubles = Eight<double>::Vector;
using Integers = Eight<std::int32_t>::Vector;

inline void add_product(Floats &sum, float x, const Floats &y) {
  sum += x * y;
}
inline void add_product(Integers &sum, std::int32_t x, const Integers &y) {
  using Wrapping = Eight<std::uint32_t>::Vector;
  sum = (Integers)((Wrapping)sum + static_cast<std::uint32_t>(x) * (Wrapping)y);
}
inline void add_product(Doubles &sum, double x, const Doubles &y) {
#if defined(__AVX512F__)
  sum = (Doubles)_mm512_fmadd_pd(_mm512_set1_pd(x), (__m512d)y, (__m512d)sum);
#else
  for (int i = 0; i < kWide; ++i) sum[i] = __builtin_fma(x, y[i], sum[i]);
#endif
}

/// Four rows at a time: their sums do not wait for each other.
template <int n, class T>
void multiply_rows(const T *a, const T *b, T *c, int m, int k) {
  using Vector = typename Eight<T>::Vector;
  constexpr int kRows = 4;
  for (int i = 0; i < m; i += kRows)
    for (int j = 0; j < n; j += kWide) {
      T *to = c + i * n + j;
      Vector sum[kRows];
      for (int r = 0; r < kRows; ++r) sum[r] = *reinterpret_cast<const Vector *>(to + r * n);
      for (int l = 0; l < k; ++l) {
        const Vector &y = *reinterpret_cast<const Vector *>(b + l * n + j);
        for (int r = 0; r < kRows; ++r) add_product(sum[r], a[l * m + i + r], y);
      }
      for (int r = 0; r < kRows; ++r) *reinterpret_cast<Vector *>(to + r * n) = sum[r];
    }
}

/// n is 8, 16 or 32 in every shape there is.
template <class T>
void multiply(const T *a, const T *b, T *c, int m, int n, int k) {
  if (n == 8) return multiply_rows<8>(a, b, c, m, k);
  if (n == 16) return multiply_rows<16>(a, b, c, m, k);
  multiply_rows<32>(a, b, c, m, k);
}

void count_bits(bool exclusive, const std::uint32_t *a, const std::uint32_t *b, std::int32_t *c, int m, int n,
                int deep) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int word = 0; word < deep; ++word) {
        const std::uint32_t x = a[word * m + i], y = b[word * n + j];
        c[i * n + j] += __builtin_popcount(exclusive ? x ^ y : x & y);
      }
}

}  // namespace

extern const MatrixKernels matrix_kernels;
const MatrixKernels matrix_kernels = {widen_float,      widen_integer,          multiply<float>,
                                      multiply<double>, multiply<std::int32_t>, count_bits};

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
