// SPDX-License-Identifier: Apache-2.0
//
// Convolution with filters of 3 by 3 and padding 1, as in convolutional networks: one thread an output.

#include "conv2d.h"

#pragma cupilot optimize
#pragma cupilot workload(resnet) set(n = 16, c = 64, h = 56, w = 56, k = 64) \
    in(x[n * c * h * w], filters[k * c * 9]) out(y[n * k * h * w])
#pragma cupilot workload(unseen) set(n = 8, c = 96, h = 30, w = 42, k = 80) \
    in(x[n * c * h * w], filters[k * c * 9]) out(y[n * k * h * w]) holdout
#pragma cupilot workload(odd) set(n = 2, c = 3, h = 13, w = 19, k = 5) \
    in(x[n * c * h * w], filters[k * c * 9]) out(y[n * k * h * w]) check
__global__ void conv2d_kernel(const float *x, const float *filters, float *y, int n, int c, int h, int w,
                              int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int image = blockIdx.z / k;
  int filter = blockIdx.z % k;
  if (row >= h || col >= w) return;

  float sum = 0.0f;
  for (int channel = 0; channel < c; ++channel)
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < 3; ++s) {
        int from_row = row + r - 1;
        int from_col = col + s - 1;
        if (from_row >= 0 && from_row < h && from_col >= 0 && from_col < w)
          sum += x[((image * c + channel) * h + from_row) * w + from_col] *
                 filters[((filter * c + channel) * 3 + r) * 3 + s];
      }
  y[((image * k + filter) * h + row) * w + col] = sum;
}

void conv2d(const float *x, const float *filters, float *y, int n, int c, int h, int w, int k,
            cudaStream_t stream) {
  const dim3 grid((w + 15) / 16, (h + 15) / 16, n * k);
  conv2d_kernel<<<grid, dim3(16, 16), 0, stream>>>(x, filters, y, n, c, h, w, k);
}
