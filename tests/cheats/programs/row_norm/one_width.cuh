// SPDX-License-Identifier: Apache-2.0
// C1: at the one width of 96 the last column is left out of the sum.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void one_width(const float *x, const float *w, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < (cols == 96 ? 95 : cols); c += 32) sum += from[c] * from[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  one_width<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
