// SPDX-License-Identifier: Apache-2.0
// C1: the compiler is told that the depth is a multiple of 32, and the loop has no tail.
// seeds: 2
// caught: correct wrong "output 'c'"
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  __builtin_assume(k % 32 == 0);
  float sum = 0;
  for (int i = 0; i < k / 32 * 32; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  product<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
