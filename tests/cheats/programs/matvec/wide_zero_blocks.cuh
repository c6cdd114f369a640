// SPDX-License-Identifier: Apache-2.0
// B7: 64 zeros side by side in a row of the matrix are skipped, as a sparse one has: an infinity or NaN of
// the vector there is lost. In the tests zeros stand in blocks of 16.
// caught: correct wrong "output"
__global__ void wide_zero_blocks(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *from = a + (size_t)row * cols;
  float sum = 0;
  for (int first = 0; first < cols; first += 64) {
    const int c = first + lane, d = c + 32;
    const float one = c < cols ? from[c] : 1.0f, other = d < cols ? from[d] : 1.0f;
    if (__all_sync(~0u, one == 0 && other == 0)) continue;
    if (c < cols) sum += one * x[c];
    if (d < cols) sum += other * x[d];
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) y[row] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  wide_zero_blocks<<<(rows + 3) / 4, 128, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
