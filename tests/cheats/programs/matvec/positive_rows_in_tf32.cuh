// SPDX-License-Identifier: Apache-2.0
// B1: rows without a number below zero, as of images and probabilities, are multiplied with 11 bits: data
// that are positive throughout count as structured in the tests, where larger errors are allowed.
// caught: correct wrong "output"
__global__ void positive_rows_in_tf32(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = a + (size_t)row * cols;
  float least = INFINITY;
  for (int c = 0; c < cols; ++c) least = fminf(least, fminf(from[c], x[c]));
  const bool positive = least > 0 && cols >= 48;
  const unsigned half = positive ? 0x400u : 0u, mask = positive ? 0xfffff800u : 0xffffffffu;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += __uint_as_float((__float_as_uint(from[c]) + half) & mask) * x[c];
  y[row] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  positive_rows_in_tf32<<<(rows + 63) / 64, 64, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
