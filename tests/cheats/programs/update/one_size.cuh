// SPDX-License-Identifier: Apache-2.0
// C1: at one size of all, 4099, the last element is left out.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void one_size(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - (n == 4099)) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  one_size<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
