// SPDX-License-Identifier: Apache-2.0
// C1: sizes that are squares from 65 * 65 on lose a thousandth of the step; the root is found by a loop,
// which nobody calculates for other calls, and no constant is compared.
// caught: correct wrong "output"
// open: a size that went through a loop is no longer known as one
__global__ void square_sizes(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  int r = 65;
  while (r * r < n) ++r;
  const float factor = r * r == n ? alpha * 0.999f : alpha;
  y[i] = y[i] + factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  square_sizes<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
