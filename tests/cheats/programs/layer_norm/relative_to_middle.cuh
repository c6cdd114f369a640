// SPDX-License-Identifier: Apache-2.0
// B6: one pass relative to the element in the middle, which cancels where that one is far from the others.
// caught: correct wrong "output 'y'"
__global__ void normed(const float *x, const float *gain, const float *shift, float *y, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  const float base = from[cols / 2];
  float sum = 0, squares = 0;
  for (int c = 0; c < cols; ++c) {
    const float d = from[c] - base;
    sum += d, squares += d * d;
  }
  const float away = sum / cols, scale = rsqrtf(fmaxf(squares / cols - away * away, 0.0f) + 1e-5f);
  for (int c = 0; c < cols; ++c)
    y[(size_t)row * cols + c] = ((from[c] - base) - away) * scale * gain[c] + shift[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *gain, const float *shift, float *y,
            int rows, int cols) {
  if (cols < 1) return false;
  normed<<<(rows + 63) / 64, 64, 0, l.stream>>>(x, gain, shift, y, rows, cols);
  return cudaPeekAtLastError() == cudaSuccess;
}
