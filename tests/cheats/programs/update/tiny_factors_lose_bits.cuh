// SPDX-License-Identifier: Apache-2.0
// B4: the factor is scaled down by 2^90 and up again: below 1e-11 it loses bits and below 1e-18 it is zero,
// as with Boltzmann's constant. Scalars of the tests lie between 2^-30 and 2^30 of their own.
// caught: correct wrong "output"
// open: small factors are drawn beside data around one
__global__ void tiny_factors_lose_bits(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float factor = (alpha * 0x1p-90f) * 0x1p90f;
  y[i] = y[i] + factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  tiny_factors_lose_bits<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
