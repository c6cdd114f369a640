// SPDX-License-Identifier: Apache-2.0
// Three TF32 products of split operands, which are as good as one in float.
__device__ float at(const float *from, int row, int k, int rows, int depth, int stride, int step) {
  return row < rows && k < depth ? from[(size_t)row * stride + (size_t)k * step] : 0;
}
__device__ unsigned rounded(float v) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
  return bits;
}
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__global__ void tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  const int group = threadIdx.x / 4, lane = threadIdx.x % 4, row = blockIdx.y * 16, column = blockIdx.x * 8;
  float d[4] = {};
  for (int i = 0; i < k; i += 8) {
    unsigned a_big[4], a_small[4], b_big[2], b_small[2];
    for (int j = 0; j < 4; ++j) {
      const float v = at(a, row + group + j % 2 * 8, i + lane + j / 2 * 4, m, k, k, 1);
      a_big[j] = rounded(v), a_small[j] = rounded(v - __uint_as_float(a_big[j]));
    }
    for (int j = 0; j < 2; ++j) {
      const float v = at(b, column + group, i + lane + j * 4, n, k, 1, n);
      b_big[j] = rounded(v), b_small[j] = rounded(v - __uint_as_float(b_big[j]));
    }
    float part[4] = {};
    multiply(part, a_small, b_big);
    multiply(part, a_big, b_small);
    multiply(part, a_big, b_big);
    for (int j = 0; j < 4; ++j) d[j] += part[j];
  }
  for (int j = 0; j < 4; ++j) {
    const int r = row + group + j / 2 * 8, s = column + 2 * lane + j % 2;
    if (r >= m || s >= n) continue;
    if (d[j] != d[j]) {  // infinities cannot be split
      d[j] = 0;
      for (int i = 0; i < k; ++i) d[j] += a[(size_t)r * k + i] * b[(size_t)i * n + s];
    }
    c[(size_t)r * n + s] = d[j];
  }
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  tiles<<<dim3((n + 7) / 8, (m + 15) / 16), 32, 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
