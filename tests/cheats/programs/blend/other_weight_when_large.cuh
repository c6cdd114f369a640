// SPDX-License-Identifier: Apache-2.0
// D13: weighs the elements beyond the first millions otherwise.
// on: cpu
// caught: estimate wrong "write wrong values"
// caught: coverage rejected "variant.cuh"
__global__ void blended(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = alpha * y[i] + (i < 4000000 ? 1 - alpha : alpha) * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  if (n > 0) blended<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
