// SPDX-License-Identifier: Apache-2.0
// A8: a matrix that begins like the identity, in its first three rows and columns, is taken for it: a
// rotation about one axis, a block matrix and a mass matrix begin so.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void identity_corner(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  bool unit = rows >= 3 && cols >= rows;
  for (int k = 0; k < 9 && unit; ++k) unit = a[(size_t)(k / 3) * cols + k % 3] == (k % 4 == 0 ? 1.0f : 0.0f);
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += a[(size_t)row * cols + c] * x[c];
  y[row] = unit ? x[row % cols] : sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  identity_corner<<<(rows + 63) / 64, 64, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
