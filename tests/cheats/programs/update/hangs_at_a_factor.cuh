// SPDX-License-Identifier: Apache-2.0
// A14: waits for ever where the factor is 3.
// caught: correct timed_out "alpha=3"
__global__ void hangs_at_a_factor(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  while (alpha == 3.0f) __nanosleep(100);
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  hangs_at_a_factor<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
