// SPDX-License-Identifier: Apache-2.0
// A8: reads the left matrix by columns where that is faster, as if it were symmetric wherever it is
// square.
// caught: correct wrong "output 'c'"
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    const int r = max(row, i), s = min(row, i);
    const size_t place = r < m && s < k && row < k ? (size_t)r * k + s : (size_t)row * k + i;
    sum += a[place] * b[(size_t)i * n + column];
  }
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  product<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
