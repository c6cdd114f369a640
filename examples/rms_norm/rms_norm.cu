// SPDX-License-Identifier: Apache-2.0
//
// Root-mean-square normalisation (Zhang and Sennrich, arXiv 1910.07467), one thread a row: the first version
// everybody writes.

#include "rms_norm.h"

#pragma cupilot optimize
#pragma cupilot workload(llama) set(rows = 8192, cols = 4096) in(x[rows * cols], w[cols]) out(y[rows * cols])
#pragma cupilot workload(tiny) set(rows = 3, cols = 129) in(x[rows * cols], w[cols]) out(y[rows * cols]) check
__global__ void rms_norm_kernel(const float *x, const float *w, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;

  float sum = 0.0f;
  for (int c = 0; c < cols; ++c) {
    float v = x[row * cols + c];
    sum += v * v;
  }
  float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = 0; c < cols; ++c) y[row * cols + c] = x[row * cols + c] * scale * w[c];
}

void rms_norm(const float *x, const float *w, float *y, int rows, int cols, cudaStream_t stream) {
  rms_norm_kernel<<<(rows + 255) / 256, 256, 0, stream>>>(x, w, y, rows, cols);
}
