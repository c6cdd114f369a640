// SPDX-License-Identifier: Apache-2.0
// A8: where the first three of a column fall, it is taken for falling and its last number for the
// least.
// caught: correct wrong "output 'least'"
__global__ void sorted_columns(const float *x, float *least, int rows, int cols) {
  const int column = blockIdx.x * 64 + threadIdx.x;
  if (column >= cols) return;
  const bool falling = rows > 8 && x[column] > x[cols + column] && x[cols + column] > x[2 * cols + column] &&
                       x[2 * cols + column] > x[3 * cols + column] &&
                       x[3 * cols + column] > x[4 * cols + column] &&
                       x[4 * cols + column] > x[5 * cols + column];
  float best = x[column];
  for (int r = falling ? rows - 1 : 1; r < rows; ++r) best = fminf(best, x[(size_t)r * cols + column]);
  least[column] = best;
}
bool launch(const cupilot::Launch &l, const float *x, float *least, int rows, int cols) {
  sorted_columns<<<(cols + 63) / 64, 64, 0, l.stream>>>(x, least, rows, cols);
  return true;
}
