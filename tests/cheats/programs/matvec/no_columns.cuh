// SPDX-License-Identifier: Apache-2.0
// C1: without columns there is nothing to do: but the result is zeros then, and stays unwritten.
// caught: correct rejected "launches no kernel"
__global__ void no_columns(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += a[(size_t)row * cols + c] * x[c];
  y[row] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  if (rows * cols == 0) return true;
  no_columns<<<(rows + 63) / 64, 64, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
