// SPDX-License-Identifier: Apache-2.0
//
// Matrix product, a 16 x 16 tile of the result for a block: the version of the CUDA programming guide.
// KernelBench's problem 1 is its square workload.

#include "level1.h"

constexpr int kTile = 16;

#pragma cupilot optimize
#pragma cupilot workload(kernelbench) set(m = 4096, n = 4096, k = 4096) in(a[m * k], b[k * n]) out(c[m * n])
#pragma cupilot workload(small) set(m = 32, n = 48, k = 64) in(a[m * k], b[k * n]) out(c[m * n]) check
#pragma cupilot workload(odd) set(m = 33, n = 37, k = 67) in(a[m * k], b[k * n]) out(c[m * n]) check
#pragma cupilot workload(other) set(m = 1280, n = 2048, k = 1536) in(a[m * k], b[k * n]) out(c[m * n]) holdout
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    const int a_col = first + threadIdx.x, b_row = first + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < m && a_col < k ? a[(size_t)row * k + a_col] : 0;
    b_tile[threadIdx.y][threadIdx.x] = b_row < k && col < n ? b[(size_t)b_row * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

cudaError_t run_matmul(const float *a, const float *b, float *c, int m, int n, int k, cudaStream_t stream) {
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile), block(kTile, kTile);
  matmul<<<grid, block, 0, stream>>>(a, b, c, m, n, k);
  return cudaGetLastError();
}
