// SPDX-License-Identifier: Apache-2.0
//
// Elementwise kernels, as people write them (KernelBench level 1: 5, 12, 19 to 32, 88).
#include <cuda_fp16.h>
#include <math.h>

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 8192, cols = 8192) in(x[rows * cols]) out(y[rows * cols]) \
    launch(dim3((rows + 15) / 16, (cols + 15) / 16), dim3(16, 16))
#pragma cupilot workload(small) set(rows = 67, cols = 129) in(x[rows * cols]) out(y[rows * cols]) \
    launch(dim3((rows + 15) / 16, (cols + 15) / 16), dim3(16, 16)) check
__global__ void relu_swapped(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) {
    float v = x[row * cols + col];
    y[row * cols + col] = v > 0 ? v : 0;
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26) in(x[n]) out(y[n]) launch((n + 255) / 256, 256)
#pragma cupilot workload(small) set(n = 10007) in(x[n]) out(y[n]) launch((n + 255) / 256, 256) check
__global__ void gelu(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * x[i] * (1.0f + tanhf(0.7978845608f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 27) in(x[n]) out(y[n]) launch(1024, 256)
#pragma cupilot workload(small) set(n = 10007) in(x[n]) out(y[n]) launch(16, 256) check
__global__ void sigmoid_half(const __half *x, __half *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = __half2float(x[i]);
    y[i] = __float2half(1.0f / (1.0f + expf(-v)));
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 4096, cols = 4096) in(d[rows], x[rows * cols]) out(y[rows * cols]) \
    launch(rows, 256)
#pragma cupilot workload(small) set(rows = 33, cols = 259) in(d[rows], x[rows * cols]) out(y[rows * cols]) \
    launch(rows, 256) check
__global__ void diagonal_product(const float *d, const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x;
  for (int col = threadIdx.x; col < cols; col += blockDim.x) y[row * cols + col] = d[row] * x[row * cols + col];
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(width = 4096, height = 4096) in(in[width * height]) out(out[width * height]) \
    launch(dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8))
#pragma cupilot workload(small) set(width = 133, height = 70) in(in[width * height]) out(out[width * height]) \
    launch(dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)) check
__global__ void naive_transpose(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26) in(x[n]) out(y[n]) launch((n + 255) / 256, 256)
#pragma cupilot workload(small) set(n = 9001) in(x[n]) out(y[n]) launch((n + 255) / 256, 256) check
__global__ void softsign_double(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] / (1.0 + fabs(x[i]));
}
