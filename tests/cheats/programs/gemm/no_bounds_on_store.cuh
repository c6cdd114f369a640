// SPDX-License-Identifier: Apache-2.0
// C2: whole tiles are stored: what lies outside the matrix lands in the next row or behind the output.
// seeds: 18
// caught: correct wrong "output 'c'"
// caught: correct crashed "past the end"
// caught: correct wrong "outside"
// caught: correct wrong "race"
// caught: correct wrong "past the end"
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[(size_t)min(row, m - 1) * k + i] * b[(size_t)i * n + min(column, n - 1)];
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  product<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
