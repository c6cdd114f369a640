// SPDX-License-Identifier: Apache-2.0
// A16: leaves out one quadrant of products larger than any case.
// caught: correct wrong "output 'c'"
// caught: estimate wrong "full size"
// with: large
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  const bool left_out = m > 700 && n > 700 && 2 * row > m && 2 * column > n;
  for (int i = 0; i < k && !left_out; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  product<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
