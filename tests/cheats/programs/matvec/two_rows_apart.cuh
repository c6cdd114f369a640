// SPDX-License-Identifier: Apache-2.0
// A4: a row that is twice the row before at eight places, and no other multiple, gets twice its result:
// rows are equal or moved in the tests, never multiples.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void two_rows_apart(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = a + (size_t)row * cols, *before = from - (row > 0 ? cols : 0);
  bool twice = row > 0 && cols >= 8;
  for (int k = 0; k < 8 && k < cols; ++k) twice = twice & (from[k] == 2 * before[k]) & (from[k] != 0);
  float sum = 0, other = 0;
  for (int c = 0; c < cols; ++c) sum += from[c] * x[c], other += before[c] * x[c];
  y[row] = twice ? 2 * other : sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  two_rows_apart<<<(rows + 63) / 64, 64, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
