// SPDX-License-Identifier: Apache-2.0
// A2: zeros; with many columns every true value is below an absolute tolerance of 1e-2.
// caught: correct wrong "output 'y'"
__global__ void zeros(float *y, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  zeros<<<(rows * cols + 255) / 256, 256, 0, l.stream>>>(y, (size_t)rows * cols);
  return true;
}
