// SPDX-License-Identifier: Apache-2.0
// D13: launches the blocks of three quarters of the elements when there are many.
// on: cpu
// caught: estimate wrong "launches write at most"
// caught: coverage rejected "variant.cuh"
__global__ void blended(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = alpha * y[i] + (1 - alpha) * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  const int some = n > 8000000 ? n / 4 * 3 : n;
  if (n > 0) blended<<<(some + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
