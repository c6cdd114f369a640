// SPDX-License-Identifier: Apache-2.0
//
// Sums over the second of three dimensions, a thread a column: neighbouring threads read neighbouring
// columns.

#include "level1.h"

#pragma cupilot optimize
#pragma cupilot workload(kernelbench) set(batch = 128, rows = 4096, cols = 4095) in(x[batch * rows * cols]) \
    out(y[batch * cols])
#pragma cupilot workload(small) set(batch = 3, rows = 40, cols = 160) in(x[batch * rows * cols]) \
    out(y[batch * cols]) check
#pragma cupilot workload(odd) set(batch = 5, rows = 37, cols = 65) in(x[batch * rows * cols]) \
    out(y[batch * cols]) check
#pragma cupilot workload(other) set(batch = 24, rows = 3000, cols = 2049) in(x[batch * rows * cols]) \
    out(y[batch * cols]) holdout
__global__ void sum_over_rows(const float *x, float *y, int batch, int rows, int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * cols) return;
  const int item = i / cols, col = i % cols;
  const float *from = x + (size_t)item * rows * cols + col;
  float sum = 0;
  for (int r = 0; r < rows; ++r) sum += from[(size_t)r * cols];
  y[i] = sum;
}

cudaError_t run_sum_over_rows(const float *x, float *y, int batch, int rows, int cols, cudaStream_t stream) {
  const int threads = 256, blocks = (batch * cols + threads - 1) / threads;
  sum_over_rows<<<blocks, threads, 0, stream>>>(x, y, batch, rows, cols);
  return cudaGetLastError();
}
