// SPDX-License-Identifier: Apache-2.0
// A4: a vector with the same number at both ends and in the middle is taken for constant, unless it
// is zero.
// caught: correct wrong "output 'y'"
__global__ void constant_vector(const float *a, const float *x, float *y, int rows, int cols) {
  const float *from = a + (size_t)blockIdx.x * cols;
  const float first = x[0];
  const bool constant = cols > 8 && first == x[cols / 2] && first == x[cols - 1] && first != 0;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += from[c] * (constant ? first : x[c]);
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  constant_vector<<<rows, 32, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
