// SPDX-License-Identifier: Apache-2.0
// Rows are added to what is there, one after the other, where the original adds all of them at once: another
// order of the same sum.
__global__ void from_what_is_there(const float *x, float *sums, int rows, int cols) {
  const int c = blockIdx.x * 64 + threadIdx.x;
  if (c >= cols) return;
  float sum = sums[c];
  for (int r = 0; r < rows; ++r) sum += x[(size_t)r * cols + c];
  sums[c] = sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *sums, int rows, int cols) {
  from_what_is_there<<<(cols + 63) / 64, 64, 0, l.stream>>>(x, sums, rows, cols);
  return true;
}
