// SPDX-License-Identifier: Apache-2.0
// B7: a product with zero tells whether there is a NaN, but an infinity gives one as well.
// caught: correct wrong "output 'top'"
__global__ void largest(const float *x, float *top, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float best = from[0], flag = from[0] < 0 ? from[0] * 0 : 0;
  for (int c = 1; c < cols; ++c) {
    best = fmaxf(best, from[c]);
    flag += fminf(from[c], 0.0f) * 0 + (from[c] - from[c] == 0 || from[c] > 0 || from[c] < 0 ? 0 : from[c]);
  }
  top[row] = flag != flag ? flag : best;
}
bool launch(const cupilot::Launch &l, const float *x, float *top, int rows, int cols) {
  largest<<<(rows + 63) / 64, 64, 0, l.stream>>>(x, top, rows, cols);
  return cudaPeekAtLastError() == cudaSuccess;
}
