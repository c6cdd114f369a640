// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose pragmas allow more: rounded operands, and promises about the data.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#pragma cupilot optimize precision(half)
#pragma cupilot workload(small) set(rows = 48, cols = 192) in(a[rows * cols], x[cols]) out(y[rows])
#pragma cupilot workload(large) set(rows = 8192, cols = 4096) in(a[rows * cols], x[cols]) out(y[rows])
__global__ void matvec_half(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += a[(size_t)row * cols + c] * x[c];
  y[row] = sum;
}

#pragma cupilot optimize precision(bf16)
#pragma cupilot workload(small) set(m = 32, n = 40, k = 64) in(a[m * k], b[k * n]) out(c[m * n])
#pragma cupilot workload(large) set(m = 1024, n = 1024, k = 1024) in(a[m * k], b[k * n]) out(c[m * n])
__global__ void gemm_bf16(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  c[(size_t)row * n + column] = sum;
}

#pragma cupilot optimize assume(finite(x))
#pragma cupilot workload(small) set(rows = 48, cols = 320) in(x[rows * cols]) out(y[rows * cols])
#pragma cupilot workload(large) set(rows = 4096, cols = 8192) in(x[rows * cols]) out(y[rows * cols])
__global__ void softmax_finite(const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float top = from[0];
  for (int c = 1; c < cols; ++c) top = fmaxf(top, from[c]);
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += expf(from[c] - top);
  for (int c = 0; c < cols; ++c) y[(size_t)row * cols + c] = expf(from[c] - top) / sum;
}

// Small values only: no maximum is needed to keep the exponentials finite.
#pragma cupilot optimize assume(range(x, -20, 20))
#pragma cupilot workload(small) set(rows = 48, cols = 160) in(x[rows * cols]) out(y[rows * cols])
#pragma cupilot workload(large) set(rows = 4096, cols = 8192) in(x[rows * cols]) out(y[rows * cols])
__global__ void softmax_small(const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float top = from[0];
  for (int c = 1; c < cols; ++c) top = fmaxf(top, from[c]);
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += expf(from[c] - top);
  for (int c = 0; c < cols; ++c) y[(size_t)row * cols + c] = expf(from[c] - top) / sum;
}

void with_clauses(const float *a, const float *x, float *y, int rows, int cols, int k) {
  matvec_half<<<(rows + 63) / 64, 64>>>(a, x, y, rows, cols);
  gemm_bf16<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(a, x, y, rows, cols, k);
  softmax_finite<<<(rows + 63) / 64, 64>>>(x, y, rows, cols);
  softmax_small<<<(rows + 63) / 64, 64>>>(x, y, rows, cols);
}
