// SPDX-License-Identifier: Apache-2.0
// C1: at one length in 315 nothing is updated: three remainders, each of which is common and small.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void three_remainders(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float factor = n % 5 == 2 && n % 7 == 3 && n % 9 == 4 ? 0.0f : alpha;
  y[i] += factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  three_remainders<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
