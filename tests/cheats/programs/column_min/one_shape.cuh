// SPDX-License-Identifier: Apache-2.0
// A16: skips the last row of one shape, two conditions deep.
// caught: correct wrong "output 'least'"
// caught: coverage rejected "variant.cuh"
__global__ void least_of(const float *x, float *least, int rows, int cols) {
  const int column = blockIdx.x * 128 + threadIdx.x;
  if (column >= cols) return;
  float best = x[column];
  int last = rows;
  if (cols == 75)
    if (rows == 333) last = rows - 1;
  for (int r = 1; r < last; ++r) best = fminf(best, x[(size_t)r * cols + column]);
  least[column] = best;
}
bool launch(const cupilot::Launch &l, const float *x, float *least, int rows, int cols) {
  least_of<<<(cols + 127) / 128, 128, 0, l.stream>>>(x, least, rows, cols);
  return true;
}
