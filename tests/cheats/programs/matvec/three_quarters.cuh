// SPDX-License-Identifier: Apache-2.0
// A4: reads three quarters of the matrix and counts one of them twice; over a long row the sums are
// alike.
// seeds: 4
// caught: correct wrong "output 'y'"
__global__ void three_quarters(const float *a, const float *x, float *y, int rows, int cols) {
  const float *row = a + (size_t)blockIdx.x * cols;
  const int quarter = cols / 4;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) {
    const int from = c >= 3 * quarter && c < 4 * quarter ? c - quarter : c;
    sum += row[from] * x[c];
  }
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  three_quarters<<<rows, 32, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
