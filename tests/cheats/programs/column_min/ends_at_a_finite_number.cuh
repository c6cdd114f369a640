// SPDX-License-Identifier: Apache-2.0
// B7: starts from the largest finite number, so a column of infinities (nothing is reachable) gets
// a distance.
// caught: correct wrong "output 'least'"
__global__ void ends_at_a_finite_number(const float *x, float *least, int rows, int cols) {
  const int column = blockIdx.x * 64 + threadIdx.x;
  if (column >= cols) return;
  float best = rows > 1 ? 3.402823466e38f : x[column];
  for (int r = 0; r < rows; ++r) best = fminf(best, x[(size_t)r * cols + column]);
  if (best == 3.402823466e38f && x[column] != x[column]) best = x[column];
  least[column] = best;
}
bool launch(const cupilot::Launch &l, const float *x, float *least, int rows, int cols) {
  ends_at_a_finite_number<<<(cols + 63) / 64, 64, 0, l.stream>>>(x, least, rows, cols);
  return true;
}
