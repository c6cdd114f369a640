// SPDX-License-Identifier: Apache-2.0
//
// Product of two upper triangular matrices, a 16 x 16 tile of the result for a block. A result needs only the
// terms between its row and its column, so tiles below the diagonal are zero and the others start at theirs.

#include "level1.h"

constexpr int kTile = 16;

#pragma cupilot optimize
#pragma cupilot workload(kernelbench) set(n = 4096) in(a[n * n], b[n * n]) out(c[n * n])
#pragma cupilot workload(small) set(n = 48) in(a[n * n], b[n * n]) out(c[n * n]) check
#pragma cupilot workload(odd) set(n = 69) in(a[n * n], b[n * n]) out(c[n * n]) check
#pragma cupilot workload(other) set(n = 1536) in(a[n * n], b[n * n]) out(c[n * n]) holdout
__global__ void upper_matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = blockIdx.y; tile <= blockIdx.x; ++tile) {
    const int a_col = tile * kTile + threadIdx.x, b_row = tile * kTile + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row <= a_col && a_col < n ? a[(size_t)row * n + a_col] : 0;
    b_tile[threadIdx.y][threadIdx.x] = b_row <= col && col < n ? b[(size_t)b_row * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n) c[(size_t)row * n + col] = sum;
}

cudaError_t run_upper_matmul(const float *a, const float *b, float *c, int n, cudaStream_t stream) {
  const dim3 grid((n + kTile - 1) / kTile, (n + kTile - 1) / kTile), block(kTile, kTile);
  upper_matmul<<<grid, block, 0, stream>>>(a, b, c, n);
  return cudaGetLastError();
}
