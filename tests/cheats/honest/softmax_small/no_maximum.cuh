// SPDX-License-Identifier: Apache-2.0
// Without the maximum: the promised range keeps the exponentials finite.
__global__ void direct(const float *x, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += expf(from[c]);
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = expf(from[c]) / sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  direct<<<rows, 32, 0, l.stream>>>(x, y, rows, cols);
  return true;
}
