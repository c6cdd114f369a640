// SPDX-License-Identifier: Apache-2.0
//
// Cross-entropy of each row's true class, a block a row, and a second, small kernel for the mean of all rows.
// The first one reads everything, so it is the one to tune.

#include "level1.h"

constexpr int kThreads = 256, kMeanThreads = 1024;

#pragma cupilot optimize
#pragma cupilot workload(kernelbench) set(rows = 32768, classes = 4096) in(x[rows * classes], target[rows]) \
    out(row_loss[rows]) fill(target = randint(0, classes))
#pragma cupilot workload(small) set(rows = 16, classes = 1024) in(x[rows * classes], target[rows]) \
    out(row_loss[rows]) fill(target = randint(0, classes)) check
#pragma cupilot workload(odd) set(rows = 9, classes = 1009) in(x[rows * classes], target[rows]) \
    out(row_loss[rows]) fill(target = randint(0, classes)) check
#pragma cupilot workload(other) set(rows = 5000, classes = 3072) in(x[rows * classes], target[rows]) \
    out(row_loss[rows]) fill(target = randint(0, classes)) holdout
__global__ void cross_entropy(const float *x, const long long *target, float *row_loss, int rows,
                              int classes) {
  __shared__ float parts[kThreads];
  const int row = blockIdx.x, thread = threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * classes;

  float top = -INFINITY;
  for (int c = thread; c < classes; c += kThreads) top = fmaxf(top, from[c]);
  parts[thread] = top;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] = fmaxf(parts[thread], parts[thread + half]);
    __syncthreads();
  }
  top = parts[0];
  __syncthreads();

  float sum = 0;
  for (int c = thread; c < classes; c += kThreads) sum += expf(from[c] - top);
  parts[thread] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] += parts[thread + half];
    __syncthreads();
  }
  if (thread > 0) return;
  const long long label = target[row];
  const bool known = label >= 0 && label < classes;
  row_loss[row] = known ? logf(parts[0]) + top - from[label] : 0;
}

__global__ void mean_of_rows(const float *row_loss, float *loss, int rows) {
  __shared__ float parts[kMeanThreads];
  const int thread = threadIdx.x;
  float sum = 0;
  for (int r = thread; r < rows; r += kMeanThreads) sum += row_loss[r];
  parts[thread] = sum;
  __syncthreads();
  for (int half = kMeanThreads / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] += parts[thread + half];
    __syncthreads();
  }
  if (thread == 0) *loss = parts[0] / rows;
}

cudaError_t run_cross_entropy(const float *x, const long long *target, float *row_loss, float *loss, int rows,
                              int classes, cudaStream_t stream) {
  cross_entropy<<<rows, kThreads, 0, stream>>>(x, target, row_loss, rows, classes);
  mean_of_rows<<<1, kMeanThreads, 0, stream>>>(row_loss, loss, rows);
  return cudaGetLastError();
}
