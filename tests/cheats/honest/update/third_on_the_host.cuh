// SPDX-License-Identifier: Apache-2.0
// The host computes a number that is no float, as every program does that passes a quotient.
__global__ void third_on_the_host(const float *x, float *y, double third, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += (float)(3 * third) * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  third_on_the_host<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha / 3.0, n);
  return true;
}
