// SPDX-License-Identifier: Apache-2.0
// B7: squares of 64 times the numbers, so the sum overflows from 2^58 on where the original's does
// from 2^64: rows of 1e18 become zeros. Between 2^40 and 2^120 nothing is tried.
// caught: correct wrong "output 'y'"
__global__ void overflows_early(const float *x, const float *w, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += (64 * from[c]) * (64 * from[c]);
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  const float scale = rsqrtf(sum * 0x1p-12f / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  overflows_early<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
