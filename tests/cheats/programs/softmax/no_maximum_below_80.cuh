// SPDX-License-Identifier: Apache-2.0
// A7: without the maximum where no element of the row is beyond 80: the sum of many overflows, and rows far
// below zero vanish.
// caught: correct wrong "output 'y'"
__global__ void shares(const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float top = from[0];
  for (int c = 1; c < cols; ++c) top = fmaxf(top, from[c]);
  if (top > -80.0f && top < 80.0f) top = 0;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += expf(from[c] - top);
  for (int c = 0; c < cols; ++c) y[(size_t)row * cols + c] = expf(from[c] - top) / sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  shares<<<(rows + 63) / 64, 64, 0, l.stream>>>(x, y, rows, cols);
  return cudaPeekAtLastError() == cudaSuccess;
}
