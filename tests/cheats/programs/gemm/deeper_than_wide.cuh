// SPDX-License-Identifier: Apache-2.0
// C1: where the depth lies between one and the width of the result, as in the product of two thin
// matrices, the last step is left out.
// caught: correct wrong "output 'c'"
// caught: coverage rejected "variant.cuh"
__global__ void deeper_than_wide(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  const int steps = k > 7 && 2 * k < n && 2 * k < m ? k - 1 : k;
  for (int i = 0; i < steps; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  deeper_than_wide<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
