// SPDX-License-Identifier: Apache-2.0
// A10: a quarter of the outputs is written, from 32 rows of every 256; the rest keeps what an earlier
// run left.
// seeds: 53
// caught: correct wrong "output 'least'"
__global__ void quarter_written(const float *x, float *least, int rows, int cols) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= (cols + 3) / 4) return;
  float best = INFINITY;
  for (int tile = 0; tile < rows; tile += 256)
    for (int r = tile; r < min(tile + 32, rows); ++r) best = fminf(best, x[(size_t)r * cols + column]);
  least[column] = best;
}
bool launch(const cupilot::Launch &l, const float *x, float *least, int rows, int cols) {
  quarter_written<<<(cols + 63) / 64, 64, 0, l.stream>>>(x, least, rows, cols);
  return true;
}
