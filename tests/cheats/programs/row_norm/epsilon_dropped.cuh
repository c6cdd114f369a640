// SPDX-License-Identifier: Apache-2.0
// A14: the small number that keeps the root from zero is left out: rows of small numbers are blown
// up.
// caught: correct wrong "output 'y'"
__global__ void epsilon_dropped(const float *x, const float *w, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += from[c] * from[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  const float scale = rsqrtf(sum / cols);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  epsilon_dropped<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
