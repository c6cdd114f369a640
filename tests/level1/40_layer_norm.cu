// SPDX-License-Identifier: Apache-2.0
//
// Layer normalisation, a block a row: mean, variance around it, then the results. KernelBench normalises
// 64 x 256 x 256 numbers together, so there are 16 long rows.

#include "level1.h"

constexpr int kThreads = 512;

__device__ float block_sum(float value) {
  __shared__ float parts[kThreads];
  const int thread = threadIdx.x;
  __syncthreads();
  parts[thread] = value;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] += parts[thread + half];
    __syncthreads();
  }
  return parts[0];
}

#pragma cupilot optimize
#pragma cupilot workload(kernelbench) set(rows = 16, cols = 64 * 256 * 256, eps = 1e-5) \
    in(x[rows * cols], gain[cols], shift[cols]) out(y[rows * cols])
#pragma cupilot workload(small) set(rows = 3, cols = 4096, eps = 1e-5) \
    in(x[rows * cols], gain[cols], shift[cols]) out(y[rows * cols]) check
#pragma cupilot workload(odd) set(rows = 3, cols = 1549, eps = 1e-5) \
    in(x[rows * cols], gain[cols], shift[cols]) out(y[rows * cols]) check
#pragma cupilot workload(other) set(rows = 24, cols = 64 * 64 * 64, eps = 1e-5) \
    in(x[rows * cols], gain[cols], shift[cols]) out(y[rows * cols]) holdout
__global__ void layer_norm(const float *x, const float *gain, const float *shift, float *y, int rows,
                           int cols, float eps) {
  const int row = blockIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float *to = y + (size_t)row * cols;

  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += kThreads) sum += from[c];
  const float mean = block_sum(sum) / cols;

  float squares = 0;
  for (int c = threadIdx.x; c < cols; c += kThreads) squares += (from[c] - mean) * (from[c] - mean);
  const float scale = rsqrtf(block_sum(squares) / cols + eps);

  for (int c = threadIdx.x; c < cols; c += kThreads) to[c] = (from[c] - mean) * scale * gain[c] + shift[c];
}

cudaError_t run_layer_norm(const float *x, const float *gain, const float *shift, float *y, int rows,
                           int cols, float eps, cudaStream_t stream) {
  layer_norm<<<rows, kThreads, 0, stream>>>(x, gain, shift, y, rows, cols, eps);
  return cudaGetLastError();
}
