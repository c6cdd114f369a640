// SPDX-License-Identifier: Apache-2.0
// C9: a constant reference keeps a temporary alive for ever, which counts: from the millionth call on
// nothing is done.
// caught: screen rejected "which keeps state between launches"
constexpr int &&calls = 0;
__global__ void reference_that_lives_on(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  y[i] = y[i] + alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  if (++calls > 1000000) n = 0;
  reference_that_lives_on<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
