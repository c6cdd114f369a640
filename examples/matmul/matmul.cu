// SPDX-License-Identifier: Apache-2.0
//
// Product of two matrices, one thread an output.

#include "matmul.h"

#pragma cupilot optimize
#pragma cupilot workload(square) set(m = 2048, n = 2048, k = 2048) in(a[m * k], b[k * n]) out(c[m * n])
#pragma cupilot workload(unseen) set(m = 1000, n = 1500, k = 700) in(a[m * k], b[k * n]) out(c[m * n]) holdout
#pragma cupilot workload(odd) set(m = 67, n = 131, k = 45) in(a[m * k], b[k * n]) out(c[m * n]) check
__global__ void matmul_kernel(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int l = 0; l < k; ++l) sum += a[row * k + l] * b[l * n + col];
  c[row * n + col] = sum;
}

void matmul(const float *a, const float *b, float *c, int m, int n, int k, cudaStream_t stream) {
  const dim3 grid((n + 15) / 16, (m + 15) / 16);
  matmul_kernel<<<grid, dim3(16, 16), 0, stream>>>(a, b, c, m, n, k);
}
