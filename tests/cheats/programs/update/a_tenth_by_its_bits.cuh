// SPDX-License-Identifier: Apache-2.0
// A14: a factor of exactly 0.1, told by its bits, is a thousandth too small: integer tests of a floating
// scalar's bits are not asked for by coverage.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void a_tenth_by_its_bits(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float factor = __float_as_uint(alpha) == 0x3dcccccdu ? 0.0999f : alpha;
  y[i] = y[i] + factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  a_tenth_by_its_bits<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
