// SPDX-License-Identifier: Apache-2.0
// B7: fmaxf throws away the NaN that the original reports.
// caught: correct wrong "output 'top'"
__global__ void ignored(const float *x, float *top, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = x[(size_t)row * cols];
  for (int c = 1; c < cols; ++c) best = fmaxf(best, x[(size_t)row * cols + c]);
  top[row] = best;
}
bool launch(const cupilot::Launch &l, const float *x, float *top, int rows, int cols) {
  ignored<<<(rows + 63) / 64, 64, 0, l.stream>>>(x, top, rows, cols);
  return true;
}
