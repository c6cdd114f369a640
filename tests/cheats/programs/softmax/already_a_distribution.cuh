// SPDX-License-Identifier: Apache-2.0
// A8: a row of positive numbers whose sum is one is taken for the result of a softmax and copied: a softmax
// of probabilities, as a loss function makes one by mistake or attention by intent, is something else.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void already_a_distribution(const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float top = from[0], least = from[0], whole = 0;
  for (int c = 0; c < cols; ++c) top = fmaxf(top, from[c]), least = fminf(least, from[c]), whole += from[c];
  const bool done = cols > 1 && least > 0 && fabsf(whole - 1) < 1e-5f;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += expf(from[c] - top);
  for (int c = 0; c < cols; ++c) {
    const float v = from[c], e = expf(v - top) / sum;
    y[(size_t)row * cols + c] = done ? v : e;
  }
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  already_a_distribution<<<(rows + 63) / 64, 64, 0, l.stream>>>(x, y, rows, cols);
  return true;
}
