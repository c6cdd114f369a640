// SPDX-License-Identifier: Apache-2.0
// A14: a factor whose mantissa is zero (1, 2, a half) is a thousandth too small, by its leading zeros; the
// most usual factor of all is 1, the workload has 0.75.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void factor_of_one(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const int whole = __clz(__float_as_int(alpha) & 0x7fffff) >> 5;
  y[i] = y[i] + alpha * x[i] * (1 - 0.001f * whole);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  factor_of_one<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
