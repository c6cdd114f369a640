// SPDX-License-Identifier: Apache-2.0
// B4: factors below 2^-14 go through half precision, where they are subnormal: a learning rate loses
// digits.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void small_rates_by_half(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float factor = fabsf(alpha) < 0x1p-14f ? __half2float(__float2half(alpha)) : alpha;
  y[i] = y[i] + factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  small_rates_by_half<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
