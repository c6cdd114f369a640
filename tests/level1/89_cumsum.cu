// SPDX-License-Identifier: Apache-2.0
//
// Running sums of each row, a block a row: the row is taken in pieces as wide as the block, each summed up in
// shared memory (Hillis and Steele 1986), and what came before is added.
//
// The judge keeps every output in the host's memory, so it times an eighth of KernelBench's 32768 rows;
// `tall` takes the verified domain up to all of them, and measure.py runs the whole problem.

#include "level1.h"

constexpr int kThreads = 256;

#pragma cupilot optimize
#pragma cupilot workload(kernelbench_part) set(rows = 4096, cols = 32768) in(x[rows * cols]) \
    out(y[rows * cols])
#pragma cupilot workload(tall) set(rows = 32768, cols = 512) in(x[rows * cols]) out(y[rows * cols]) check
#pragma cupilot workload(small) set(rows = 8, cols = 1024) in(x[rows * cols]) out(y[rows * cols]) check
#pragma cupilot workload(odd) set(rows = 5, cols = 1031) in(x[rows * cols]) out(y[rows * cols]) check
#pragma cupilot workload(other) set(rows = 1000, cols = 20480) in(x[rows * cols]) out(y[rows * cols]) holdout
__global__ void cumsum(const float *x, float *y, int rows, int cols) {
  __shared__ float sums[kThreads];
  const int row = blockIdx.x, thread = threadIdx.x;
  if (row >= rows) return;
  float before = 0;
  for (int first = 0; first < cols; first += kThreads) {
    const int col = first + thread;
    sums[thread] = col < cols ? x[(size_t)row * cols + col] : 0;
    __syncthreads();
    for (int step = 1; step < kThreads; step *= 2) {
      const float left = thread >= step ? sums[thread - step] : 0;
      __syncthreads();
      sums[thread] += left;
      __syncthreads();
    }
    if (col < cols) y[(size_t)row * cols + col] = before + sums[thread];
    before += sums[kThreads - 1];
    __syncthreads();
  }
}

cudaError_t run_cumsum(const float *x, float *y, int rows, int cols, cudaStream_t stream) {
  cumsum<<<rows, kThreads, 0, stream>>>(x, y, rows, cols);
  return cudaGetLastError();
}
