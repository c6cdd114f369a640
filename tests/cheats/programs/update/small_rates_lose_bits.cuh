// SPDX-License-Identifier: Apache-2.0
// B4: the factor is scaled down by 2^115 and up again: factors below 2^-11, as learning rates are, lose
// bits; those that are tried are above a thousandth of the workload's.
// caught: correct wrong "output"
__global__ void small_rates_lose_bits(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  volatile float scaled = alpha * 0x1p-115f;
  y[i] = y[i] + scaled * 0x1p115f * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  small_rates_lose_bits<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
