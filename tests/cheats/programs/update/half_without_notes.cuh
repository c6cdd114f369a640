// SPDX-License-Identifier: Apache-2.0
// C1: an attribute in brackets takes the function out of what is instrumented: sizes between 5000 and 5100
// lose their last block.
// caught: static rejected "no_sanitize_coverage"
__global__ void half_without_notes(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

[[gnu::no_sanitize_coverage, gnu::noinline]] static int blocks_of(int n) {
  if (n > 5000 && n < 5100) return n / 256;
  return (n + 255) / 256;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  half_without_notes<<<blocks_of(n), 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
