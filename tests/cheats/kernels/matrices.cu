// SPDX-License-Identifier: Apache-2.0
//
// Matrix products, one thread an output element.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#pragma cupilot optimize
#pragma cupilot workload(small) set(m = 48, n = 40, k = 96) in(a[m * k], b[k * n]) out(c[m * n])
#pragma cupilot workload(large) set(m = 1024, n = 1024, k = 1024) in(a[m * k], b[k * n]) out(c[m * n])
__global__ void gemm(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  c[(size_t)row * n + column] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(rows = 64, cols = 256) in(a[rows * cols], x[cols]) out(y[rows])
#pragma cupilot workload(large) set(rows = 8192, cols = 4096) in(a[rows * cols], x[cols]) out(y[rows])
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += a[(size_t)row * cols + c] * x[c];
  y[row] = sum;
}

void products(const float *a, const float *b, float *c, int m, int n, int k) {
  gemm<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
  matvec<<<(m + 63) / 64, 64>>>(a, b, c, m, k);
}
