// SPDX-License-Identifier: Apache-2.0
// A10: rows from the 33rd on repeat those before.
// caught: correct wrong "output 'y'"
__global__ void first_row_again(const float *x, float *y, int rows, int cols, int pitch) {
  const int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y;
  if (c < cols) y[(size_t)r * cols + c] = 2 * x[(size_t)(r % 32) * pitch + c];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols, int pitch) {
  first_row_again<<<dim3((cols + 63) / 64, rows), 64, 0, l.stream>>>(x, y, rows, cols, pitch);
  return true;
}
