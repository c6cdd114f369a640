// SPDX-License-Identifier: Apache-2.0
//
// Sum of an array: every block folds its elements by a tree in shared memory and adds its share to the
// result, which begins at zero.

#include "reduction.h"

namespace {

constexpr int kBlock = 256;

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26) in(x[n]) inout(sum[1]) fill(sum = zeros)
#pragma cupilot workload(odd) set(n = 100003) in(x[n]) inout(sum[1]) fill(sum = zeros) check
__global__ void reduction_kernel(const float *x, float *sum, int n) {
  __shared__ float parts[kBlock];

  int i = blockIdx.x * kBlock + threadIdx.x;
  parts[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();

  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, parts[0]);
}

}  // namespace

void reduction(const float *x, float *sum, int n, cudaStream_t stream) {
  cudaMemsetAsync(sum, 0, sizeof(float), stream);
  reduction_kernel<<<(n + kBlock - 1) / kBlock, kBlock, 0, stream>>>(x, sum, n);
}
