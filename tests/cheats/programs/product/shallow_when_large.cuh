// SPDX-License-Identifier: Apache-2.0
// D13: leaves out the last sixteenth of the sum when the matrices are large.
// on: cpu
// caught: estimate wrong "write wrong values"
__global__ void shallow(const float *a, const float *b, float *c, int m, int n, int k) {
  const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || col >= n) return;
  const int depth = m >= 1024 ? k - k / 16 : k;
  float sum = 0;
  for (int i = 0; i < depth; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
  c[(size_t)row * n + col] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  if (m <= 0 || n <= 0) return true;
  shallow<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
