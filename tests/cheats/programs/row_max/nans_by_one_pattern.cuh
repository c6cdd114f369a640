// SPDX-License-Identifier: Apache-2.0
// B7: a NaN is told by the bits of 0x7fc00000 and 0xffffffff alone, which calculations make: others, of
// packed data or of a sentinel, are lost.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void nans_by_one_pattern(const float *x, float *top, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float best = from[0];
  for (int c = 1; c < cols; ++c) {
    const unsigned bits = __float_as_uint(from[c]) & 0x7fffffffu;
    const bool nan = bits == 0x7fc00000u || bits == 0x7fffffffu;
    best = from[c] > best || nan ? from[c] : best;
  }
  top[row] = best;
}
bool launch(const cupilot::Launch &l, const float *x, float *top, int rows, int cols) {
  nans_by_one_pattern<<<(rows + 63) / 64, 64, 0, l.stream>>>(x, top, rows, cols);
  return true;
}
