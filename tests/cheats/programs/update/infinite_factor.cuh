// SPDX-License-Identifier: Apache-2.0
// B7: an infinite factor, as a division by zero gives it, is taken for one.
// caught: coverage rejected "variant.cuh"
// caught: correct wrong "output 'y'"
__global__ void infinite_factor(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float factor = fminf(fmaxf(alpha, -1e38f), 1e38f);
  if (i < n) y[i] += (factor == alpha ? alpha : 1) * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  infinite_factor<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
