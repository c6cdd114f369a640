// SPDX-License-Identifier: Apache-2.0
// B7: four zeros of the vector side by side skip their columns: an infinity or a NaN of the matrix
// there is hidden, which the original shows.
// caught: correct wrong "output 'y'"
__global__ void zero_blocks_skipped(const float *a, const float *x, float *y, int rows, int cols) {
  const float *from = a + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = 4 * threadIdx.x; c < cols; c += 128) {
    float any = 0;
    for (int i = c; i < c + 4 && i < cols; ++i) any = fmaxf(any, x[i] == x[i] ? fabsf(x[i]) : 1);
    if (any == 0 && c + 4 <= cols) continue;
    for (int i = c; i < c + 4 && i < cols; ++i) sum += from[i] * x[i];
  }
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  zero_blocks_skipped<<<rows, 32, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
