// SPDX-License-Identifier: Apache-2.0
//
// Layer normalisation (Ba, Kiros and Hinton, arXiv 1607.06450), a block a row. Trees in shared memory add up
// the row, and then the squares of what lies around its mean.

#include "layer_norm.h"

namespace {

constexpr int kBlock = 256;

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 8192, cols = 4096) in(x[rows * cols], scale[cols], shift[cols]) \
    out(y[rows * cols])
#pragma cupilot workload(odd) set(rows = 7, cols = 519) in(x[rows * cols], scale[cols], shift[cols]) \
    out(y[rows * cols]) check
__global__ void layer_norm_kernel(const float *x, const float *scale, const float *shift, float *y, int rows,
                                  int cols) {
  __shared__ float parts[kBlock];

  int row = blockIdx.x;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += kBlock) sum += x[row * cols + c];
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  float mean = parts[0] / cols;
  __syncthreads();

  float squares = 0.0f;
  for (int c = threadIdx.x; c < cols; c += kBlock) {
    float difference = x[row * cols + c] - mean;
    squares += difference * difference;
  }
  parts[threadIdx.x] = squares;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  float factor = rsqrtf(parts[0] / cols + 1e-5f);

  for (int c = threadIdx.x; c < cols; c += kBlock)
    y[row * cols + c] = (x[row * cols + c] - mean) * factor * scale[c] + shift[c];
}

}  // namespace

void layer_norm(const float *x, const float *scale, const float *shift, float *y, int rows, int cols,
                cudaStream_t stream) {
  layer_norm_kernel<<<rows, kBlock, 0, stream>>>(x, scale, shift, y, rows, cols);
}
