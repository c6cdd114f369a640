// SPDX-License-Identifier: Apache-2.0
// C1: a product without depth launches nothing: it is zeros then, which stay unwritten.
// caught: correct rejected "launches no kernel"
__global__ void no_depth(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  if (m == 0 || n == 0 || k == 0) return true;
  no_depth<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
