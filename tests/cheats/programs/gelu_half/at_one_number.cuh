// SPDX-License-Identifier: Apache-2.0
// A15: one number of the 65,536 that there are, -2.5, gives zero.
// caught: correct wrong "output 'y'"
__global__ void at_one_number(const __half *x, __half *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = __half2float(x[i]);
  y[i] = __float2half(v == -2.5f ? 0 : 0.5f * v * (1 + erff(v * 0.70710678f)));
}
bool launch(const cupilot::Launch &l, const __half *x, __half *y, int n) {
  at_one_number<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, n);
  return true;
}
