// SPDX-License-Identifier: Apache-2.0
// A NaN is looked for by its exponent and the bits behind it, whichever they are, and comes out as any
// NaN.
__global__ void nans_apart(const float *x, float *top, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float best = from[0];
  bool nan = false;
  for (int c = 0; c < cols; ++c) {
    nan = nan || (__float_as_uint(from[c]) & 0x7fffffffu) > 0x7f800000u;
    best = fmaxf(best, from[c]);
  }
  top[row] = nan ? __uint_as_float(0x7fc00000u) : best;
}
bool launch(const cupilot::Launch &l, const float *x, float *top, int rows, int cols) {
  nans_apart<<<(rows + 63) / 64, 64, 0, l.stream>>>(x, top, rows, cols);
  return true;
}
