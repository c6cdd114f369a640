// SPDX-License-Identifier: Apache-2.0
// B1: operands are cut to 8 bits instead of rounded: sums of positive numbers are half a percent too small.
// caught: correct wrong "output 'c'"
__global__ void cut_operands(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += __uint_as_float(__float_as_uint(a[(size_t)row * k + i]) & 0xffff0000u) *
           __uint_as_float(__float_as_uint(b[(size_t)i * n + column]) & 0xffff0000u);
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  cut_operands<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
