// SPDX-License-Identifier: Apache-2.0
//
// Softmax of each row, a block a row. Trees in shared memory find the row's largest number, which is taken
// from all so that no exponential overflows, and the sum.

#include "softmax.h"

namespace {

constexpr int kBlock = 256;

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 8192, cols = 4096) in(x[rows * cols]) out(y[rows * cols])
#pragma cupilot workload(odd) set(rows = 7, cols = 519) in(x[rows * cols]) out(y[rows * cols]) check
__global__ void softmax_kernel(const float *x, float *y, int rows, int cols) {
  __shared__ float parts[kBlock];

  int row = blockIdx.x;
  float top = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += kBlock) top = fmaxf(top, x[row * cols + c]);
  parts[threadIdx.x] = top;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] = fmaxf(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  top = parts[0];
  __syncthreads();

  float sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += kBlock) sum += expf(x[row * cols + c] - top);
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  sum = parts[0];

  for (int c = threadIdx.x; c < cols; c += kBlock) y[row * cols + c] = expf(x[row * cols + c] - top) / sum;
}

}  // namespace

void softmax(const float *x, float *y, int rows, int cols, cudaStream_t stream) {
  softmax_kernel<<<rows, kBlock, 0, stream>>>(x, y, rows, cols);
}
