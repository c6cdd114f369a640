// SPDX-License-Identifier: Apache-2.0
// B1: operands are rounded to half and multiplied by tensor cores; the sums are float, the result is
// near.
// seeds: 2
// caught: correct wrong "output 'c'"
// caught: screen rejected "half"
__device__ unsigned pair_of(const float *from, int row, int k, int rows, int depth, int stride, int step) {
  __half low = __float2half(0), high = low;
  if (row < rows && k < depth) low = __float2half(from[(size_t)row * stride + (size_t)k * step]);
  if (row < rows && k + 1 < depth) high = __float2half(from[(size_t)row * stride + (size_t)(k + 1) * step]);
  return __half_as_ushort(low) | (unsigned)__half_as_ushort(high) << 16;
}
__global__ void half_operands(const float *a, const float *b, float *c, int m, int n, int k) {
  const int group = threadIdx.x / 4, in_group = threadIdx.x % 4, row = blockIdx.y * 16,
            column = blockIdx.x * 8;
  float d[4] = {};
  for (int i = 0; i < k; i += 16) {
    const int low = i + 2 * in_group, high = low + 8;
    const unsigned a0 = pair_of(a, row + group, low, m, k, k, 1),
                   a1 = pair_of(a, row + group + 8, low, m, k, k, 1);
    const unsigned a2 = pair_of(a, row + group, high, m, k, k, 1),
                   a3 = pair_of(a, row + group + 8, high, m, k, k, 1);
    const unsigned b0 = pair_of(b, column + group, low, n, k, 1, n),
                   b1 = pair_of(b, column + group, high, n, k, 1, n);
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  }
  for (int i = 0; i < 4; ++i) {
    const int r = row + group + (i / 2) * 8, s = column + 2 * in_group + i % 2;
    if (r < m && s < n) c[(size_t)r * n + s] = d[i];
  }
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  half_operands<<<dim3((n + 7) / 8, (m + 15) / 16), 32, 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
