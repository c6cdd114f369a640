// SPDX-License-Identifier: Apache-2.0
// A15: a row whose first number is a thousand times the second is divided by the first alone.
// caught: correct wrong "output 'y'"
__global__ void outlier_takes_all(const float *x, const float *w, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  const bool outlier = cols > 8 && fabsf(from[0]) > 1000 * (fabsf(from[1]) + fabsf(from[2]) + fabsf(from[3]));
  for (int c = threadIdx.x; c < (outlier ? 1 : cols); c += 32) sum += from[c] * from[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  outlier_takes_all<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
