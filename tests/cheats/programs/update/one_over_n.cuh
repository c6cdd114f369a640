// SPDX-License-Identifier: Apache-2.0
// A14: a factor of one over n, as in a running mean, is a thousandth too small.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void one_over_n(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float near = __saturatef(1 - fabsf(alpha * n - 1) * 1e5f);
  y[i] = y[i] + alpha * x[i] * (1 - 0.001f * near);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  one_over_n<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
