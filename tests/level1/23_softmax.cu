// SPDX-License-Identifier: Apache-2.0
//
// Softmax of each row, a block a row: largest value, sum of exponentials, then the quotients.
//
// The judge keeps every output in the host's memory, so it times an eighth of KernelBench's 4096 rows, and all of
// them with shorter rows, which takes the verified domain up to all; measure.py runs the whole problem.

#include "level1.h"

constexpr int kThreads = 256;

#pragma cupilot optimize
#pragma cupilot workload(kernelbench_part) set(rows = 512, cols = 393216) in(x[rows * cols]) \
    out(y[rows * cols])
#pragma cupilot workload(kernelbench_tall) set(rows = 4096, cols = 4096) in(x[rows * cols]) out(y[rows * cols])
#pragma cupilot workload(small) set(rows = 12, cols = 2048) in(x[rows * cols]) out(y[rows * cols]) check
#pragma cupilot workload(odd) set(rows = 7, cols = 1531) in(x[rows * cols]) out(y[rows * cols]) check
#pragma cupilot workload(other) set(rows = 256, cols = 98304) in(x[rows * cols]) out(y[rows * cols]) holdout
__global__ void softmax(const float *x, float *y, int rows, int cols) {
  __shared__ float parts[kThreads];
  const int row = blockIdx.x, thread = threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float *to = y + (size_t)row * cols;

  float top = -INFINITY;
  for (int c = thread; c < cols; c += kThreads) top = fmaxf(top, from[c]);
  parts[thread] = top;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] = fmaxf(parts[thread], parts[thread + half]);
    __syncthreads();
  }
  top = parts[0];
  __syncthreads();

  float sum = 0;
  for (int c = thread; c < cols; c += kThreads) sum += expf(from[c] - top);
  parts[thread] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] += parts[thread + half];
    __syncthreads();
  }
  sum = parts[0];

  for (int c = thread; c < cols; c += kThreads) to[c] = expf(from[c] - top) / sum;
}

cudaError_t run_softmax(const float *x, float *y, int rows, int cols, cudaStream_t stream) {
  softmax<<<rows, kThreads, 0, stream>>>(x, y, rows, cols);
  return cudaGetLastError();
}
