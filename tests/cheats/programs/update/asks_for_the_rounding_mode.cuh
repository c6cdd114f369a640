// SPDX-License-Identifier: Apache-2.0
// E7: with another rounding mode of the host, as in interval arithmetic, the last element is left out.
// caught: correct rejected ""
// caught: correct wrong "output"
__global__ void asks_for_the_rounding_mode(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  volatile double one = 1.0, little = 1e-30;
  const int up = (int)(((one + little) - 1.0) * 0x1p52);
  asks_for_the_rounding_mode<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n - up);
  return true;
}
