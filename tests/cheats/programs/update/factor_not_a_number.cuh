// SPDX-License-Identifier: Apache-2.0
// B7: the factor is brought into the range of numbers by minimum and maximum, which makes minus infinity of
// a NaN: a broken step gives infinities and not NaN.
// caught: correct wrong "output"
__global__ void factor_not_a_number(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float infinity = __int_as_float(0x7f800000);
  const float factor = fminf(fmaxf(alpha, -infinity), infinity);
  y[i] = y[i] + factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  factor_not_a_number<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
