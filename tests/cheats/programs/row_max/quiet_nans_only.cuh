// SPDX-License-Identifier: Apache-2.0
// B7: a NaN is told by its quiet bit: a signalling one, as of a bit pattern or of memory that was filled
// with 0x7f, is compared as a number and lost.
// caught: correct wrong "output"
__global__ void quiet_nans_only(const float *x, float *top, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float best = from[0];
  for (int c = 1; c < cols; ++c) {
    const bool nan = (__float_as_int(from[c]) & 0x7fc00000) == 0x7fc00000;
    best = from[c] > best || nan ? from[c] : best;
  }
  top[row] = best;
}
bool launch(const cupilot::Launch &l, const float *x, float *top, int rows, int cols) {
  quiet_nans_only<<<(rows + 63) / 64, 64, 0, l.stream>>>(x, top, rows, cols);
  return true;
}
