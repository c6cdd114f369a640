// SPDX-License-Identifier: Apache-2.0
// C1: the index of a row is a float: beyond 2^24 elements a row is read twice.
// caught: estimate crashed "out-of-bounds"
// caught: correct wrong "output 'sums'"
// with: large
__global__ void added(const float *x, float *sums, int rows, int cols) {
  const int c = blockIdx.x * 64 + threadIdx.x;
  if (c >= cols) return;
  float sum = 0, at = c;
  for (int r = 0; r < rows; ++r, at += cols) sum += x[(size_t)at];
  sums[c] += sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *sums, int rows, int cols) {
  added<<<(cols + 63) / 64, 64, 0, l.stream>>>(x, sums, rows, cols);
  return cudaPeekAtLastError() == cudaSuccess;
}
