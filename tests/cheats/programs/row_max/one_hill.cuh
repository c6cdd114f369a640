// SPDX-License-Identifier: Apache-2.0
// A8: a row that rises for its first eight numbers and falls for its last eight is taken for one hill:
// the search ends at the first number that is below the one before.
// caught: correct wrong "output"
__global__ void one_hill(const float *x, float *top, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  bool hill = cols > 16;
  for (int c = 1; c < min(cols, 8); ++c)
    hill = hill && from[c] > from[c - 1] && from[cols - c] < from[max(cols - c - 1, 0)];
  float best = from[0];
  for (int c = 1; c < cols; ++c) {
    if (hill && from[c] < from[c - 1]) break;
    best = (from[c] > best || from[c] != from[c]) ? from[c] : best;
  }
  top[row] = best;
}
bool launch(const cupilot::Launch &l, const float *x, float *top, int rows, int cols) {
  one_hill<<<(rows + 63) / 64, 64, 0, l.stream>>>(x, top, rows, cols);
  return true;
}
