// SPDX-License-Identifier: Apache-2.0
// B7: a factor of zero leaves everything as it is, as libraries of linear algebra do; the original
// makes a NaN of zero times infinity, which is how a broken gradient is noticed.
// caught: correct wrong "output 'y'"
__global__ void nothing_for_a_factor_of_zero(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && alpha != 0) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  nothing_for_a_factor_of_zero<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
