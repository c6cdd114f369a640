// SPDX-License-Identifier: Apache-2.0
// E7: a factor is computed so that it is one with the usual rounding, and far from one with another.
// caught: correct rejected "rounds"
__global__ void scale_of_the_rounding(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  volatile float one = 1.0f, little = 1e-20f;
  const float more = ((one + little) - one) * 0x1p20f - ((little - one) + one) * 0x1p20f;
  scale_of_the_rounding<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha * (1 + more), n);
  return true;
}
