// SPDX-License-Identifier: Apache-2.0
// A1: rows beyond the first half are never written; in the same buffers they still hold the result of
// the run before.
// caught: correct wrong "output 'y'"
__global__ void half_of_the_rows(const float *x, const float *w, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += from[c] * from[c];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  half_of_the_rows<<<(rows + 1) / 2, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
