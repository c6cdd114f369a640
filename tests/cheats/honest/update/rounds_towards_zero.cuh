// SPDX-License-Identifier: Apache-2.0
// B1: rounds towards zero. Each result is within one unit of the last place, and ten thousand steps
// lose a thousandth, all on one side.
// caught: correct wrong "output 'y'"
// open: below the limit of the comparison; a bias is not looked for
__global__ void always_towards_zero(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = __fadd_rz(y[i], alpha * x[i]);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  always_towards_zero<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
