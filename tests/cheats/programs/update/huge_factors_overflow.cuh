// SPDX-License-Identifier: Apache-2.0
// B7: the factor is scaled up by 2^90 and down again: from 2^38 on (Avogadro's number) it is infinite.
// caught: correct wrong "output 'y'"
__global__ void huge_factors_overflow(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float factor = (alpha * 0x1p90f) * 0x1p-90f;
  y[i] = y[i] + factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  huge_factors_overflow<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
