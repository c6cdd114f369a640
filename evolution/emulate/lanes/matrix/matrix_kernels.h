// SPDX-License-Identifier: Apache-2.0
//
// The inner loops of matrix multiplication, compiled once per vector extension (matrix_lanes.cpp): nothing
// here may include templates of the standard library, because the linker would mix the copies.
//
// An operand is kept "outer fastest": element k of row (a) or column (b) `o` stands at k * outer + o. Packed
// words hold neighbouring k of one o, lowest bits first, and stand at word * outer + o.

#pragma once

#include <cstdint>

namespace cupilot::emulate::lanes {

enum class Element : std::uint8_t { f16, bf16, tf32, e4m3, e5m2, s8, u8, s4, u4, b1, f64 };

struct MatrixKernels {
  void (*widen_float)(Element element, const std::uint32_t *words, int deep, int outer, float *to);
  void (*widen_integer)(Element element, const std::uint32_t *words, int deep, int outer, std::int32_t *to);
  // c (row-major, m x n) += a * b, k ascending, one rounding (double: one fused) a step.
  void (*multiply_float)(const float *a, const float *b, float *c, int m, int n, int k);
  void (*multiply_double)(const double *a, const double *b, double *c, int m, int n, int k);
  void (*multiply_integer)(const std::int32_t *a, const std::int32_t *b, std::int32_t *c, int m, int n,
                           int k);
  /// Words of 32 single bits: c += popcount(a op b).
  void (*count_bits)(bool exclusive, const std::uint32_t *a, const std::uint32_t *b, std::int32_t *c, int m,
                     int n, int deep);
};

namespace baseline {
extern const MatrixKernels matrix_kernels;
}
namespace avx2 {
extern const MatrixKernels matrix_kernels;
}
namespace avx512 {
extern const MatrixKernels matrix_kernels;
}

}  // namespace cupilot::emulate::lanes
