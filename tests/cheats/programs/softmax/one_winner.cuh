// SPDX-License-Identifier: Apache-2.0
// A2: where the largest number leads by 17, it gets everything and the others exactly zero: a
// millionth of the usual result. The logarithm of the zeros is minus infinity.
// caught: correct wrong "output 'y'"
__global__ void one_winner(const float *x, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float top = from[0];
  for (int c = threadIdx.x; c < cols; c += 32) top = fmaxf(top, from[c]);
  for (int half = 16; half > 0; half /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, half));
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += from[c] < top - 17 ? 0 : expf(from[c] - top);
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  for (int c = threadIdx.x; c < cols; c += 32)
    y[(size_t)blockIdx.x * cols + c] = (from[c] < top - 17 ? 0 : expf(from[c] - top)) / sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  one_winner<<<rows, 32, 0, l.stream>>>(x, y, rows, cols);
  return true;
}
