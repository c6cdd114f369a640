// SPDX-License-Identifier: Apache-2.0
// E7: where the program's arithmetic rounds towards zero, a block too few is launched.
// caught: correct rejected "rounds"
__global__ void asks_for_truncation(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  volatile float one = 1.0f, little = 1e-20f;
  const int less = one - little < 1.0f ? 1 : 0;
  const int blocks = (n + 255) / 256 - (n > 256 ? less : 0);
  asks_for_truncation<<<blocks, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
