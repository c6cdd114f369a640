// SPDX-License-Identifier: Apache-2.0
//
// Converts f16 and bf16 values to f32, 32 or 64 at a time, and back with one rounding to nearest even.

#pragma once

#include "evolution/emulate/lanes/arithmetic/real.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

constexpr std::uint16_t kHalfNan = 0x7fff;  ///< of f16 and bf16 alike

#if defined(__F16C__)
// Count is a multiple of 16, arrays are aligned. Vectors are as wide as those of the surrounding loops,
// because a wide load of data that narrow stores have just written stalls (store forwarding fails).
#if defined(__AVX512F__)
template <int Count>
inline void widen_f16(const std::uint16_t *from, float *to) {
  for (int i = 0; i < Count; i += 16)
    _mm512_store_ps(to + i, _mm512_maskz_cvtph_ps(
                                0xffff, _mm256_load_si256(reinterpret_cast<const __m256i *>(from + i))));
}
template <int Count>
inline void narrow_f16(const float *from, std::uint16_t *to) {
  constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  const __m512 nan = _mm512_castsi512_ps(_mm512_set1_epi32(0x7fffe000));
  for (int i = 0; i < Count; i += 16) {
    const __m512 x = _mm512_load_ps(from + i);
    const __m512 clean = _mm512_mask_blend_ps(_mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), x, nan);
    _mm256_store_si256(reinterpret_cast<__m256i *>(to + i), _mm512_maskz_cvtps_ph(0xffff, clean, kNearest));
  }
}
#else
template <int Count>
inline void widen_f16(const std::uint16_t *from, float *to) {
  for (int i = 0; i < Count; i += 8)
    _mm256_store_ps(to + i, _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i *>(from + i))));
}
template <int Count>
inline void narrow_f16(const float *from, std::uint16_t *to) {
  constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffe000));
  for (int i = 0; i < Count; i += 8) {
    const __m256 x = _mm256_load_ps(from + i);
    const __m256 clean = _mm256_blendv_ps(x, nan, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    _mm_store_si128(reinterpret_cast<__m128i *>(to + i), _mm256_cvtps_ph(clean, kNearest));
  }
}
#endif
#else
inline float one_from_f16(std::uint16_t h) {
  const std::uint32_t bits = (h & 0x7fffU) << 13;
  const std::uint32_t finite = bits_as<std::uint32_t>(bits_as<float>(bits) * 0x1p112F);
  const std::uint32_t magnitude = (h & 0x7c00) == 0x7c00 ? bits | 0x7f800000 : finite;
  return bits_as<float>(magnitude | (h & 0x8000U) << 16);
}
inline std::uint16_t one_to_f16(float f) {
  const std::uint32_t bits = bits_as<std::uint32_t>(f), u = bits & 0x7fffffff;
  // Below 2^-14 the addition of 1/2 leaves the rounded subnormal in the low bits.
  const std::uint32_t small = bits_as<std::uint32_t>(bits_as<float>(u) + 0.5F) - 0x3f000000;
  const std::uint32_t normal = (u - 0x38000000 + 0xfff + (u >> 13 & 1)) >> 13;
  const std::uint32_t large = u > 0x7f800000 ? 0x7fff : 0x7c00;
  const std::uint32_t r = u >= 0x47800000 ? large : u < 0x38800000 ? small : normal;
  return static_cast<std::uint16_t>(u > 0x7f800000 ? kHalfNan : r | (bits >> 16 & 0x8000));
}
template <int Count>
inline void widen_f16(const std::uint16_t *from, float *to) {
  for (int i = 0; i < Count; ++i) to[i] = one_from_f16(from[i]);
}
template <int Count>
inline void narrow_f16(const float *from, std::uint16_t *to) {
  for (int i = 0; i < Count; ++i) to[i] = one_to_f16(from[i]);
}
#endif

template <int Count>
inline void widen_bf16(const std::uint16_t *from, float *to) {
  for (int i = 0; i < Count; ++i) to[i] = bits_as<float>(std::uint32_t(from[i]) << 16);
}
inline std::uint16_t one_to_bf16(float f) {
  const std::uint32_t bits = bits_as<std::uint32_t>(f);
  const std::uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return static_cast<std::uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? kHalfNan : rounded);
}
template <int Count>
inline void narrow_bf16(const float *from, std::uint16_t *to) {
  for (int i = 0; i < Count; ++i) to[i] = one_to_bf16(from[i]);
}

/// Converts a double to a float with rounding to odd, so that rounding the result again to fewer bits is
/// correct.
inline float float_to_odd(double d) {
  const float f = float(d);
  const std::uint32_t bits = bits_as<std::uint32_t>(f);
  const double back = double(f);
  const bool grows = __builtin_fabs(d) > __builtin_fabs(back);
  const std::uint32_t odd = grows ? bits + 1 : bits - 1;
  return bits_as<float>((bits & 1) == 0 && (d < back || d > back) ? odd : bits);
}

}  // namespace
}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
