// SPDX-License-Identifier: Apache-2.0
// A4: the maximum is taken without the sixth column, which matters only where it leads by 88: then
// the result is NaN.
// caught: correct wrong "output 'y'"
__global__ void maximum_without_one(const float *x, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float top = from[0], sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) top = fmaxf(top, c == 5 && cols > 8 ? from[0] : from[c]);
  for (int half = 16; half > 0; half /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, half));
  for (int c = threadIdx.x; c < cols; c += 32) sum += expf(from[c] - top);
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = expf(from[c] - top) / sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  maximum_without_one<<<rows, 32, 0, l.stream>>>(x, y, rows, cols);
  return true;
}
