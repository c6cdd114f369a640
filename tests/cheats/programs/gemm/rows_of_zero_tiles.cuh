// SPDX-License-Identifier: Apache-2.0
// B7: 32 zeros side by side in a row of the first matrix leave out the second one there: an infinity or a
// NaN of it is lost.
// caught: correct wrong "output 'c'"
__global__ void rows_of_zero_tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int first = 0; first < k; first += 32) {
    bool zero = first + 32 <= k;
    for (int i = first; i < min(first + 32, k); ++i) zero = zero && a[(size_t)row * k + i] == 0;
    for (int i = first; i < min(first + 32, k); ++i) {
      const float factor = zero ? 0.0f : b[(size_t)i * n + column];
      sum += a[(size_t)row * k + i] * factor;
    }
  }
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  rows_of_zero_tiles<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
