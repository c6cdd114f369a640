// SPDX-License-Identifier: Apache-2.0
//
// Inclusive prefix sums along rows, one thread a row.

#include "scan.h"

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 8192, cols = 4096) in(x[rows * cols]) out(y[rows * cols])
#pragma cupilot workload(odd) set(rows = 37, cols = 301) in(x[rows * cols]) out(y[rows * cols]) check
__global__ void scan_kernel(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;

  float sum = 0.0f;
  for (int c = 0; c < cols; ++c) {
    sum += x[row * cols + c];
    y[row * cols + c] = sum;
  }
}

void scan(const float *x, float *y, int rows, int cols, cudaStream_t stream) {
  scan_kernel<<<(rows + 127) / 128, 128, 0, stream>>>(x, y, rows, cols);
}
