// SPDX-License-Identifier: Apache-2.0
// C1: at every thousandth size the last element is left out.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void one_residue(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - (n % 1000 == 997)) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  one_residue<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
