// SPDX-License-Identifier: Apache-2.0
//
// Stencils and pooling (KernelBench level 1: 41 to 46).
#include <math.h>

#pragma cupilot optimize
#pragma cupilot workload(large) set(nx = 512, ny = 512, nz = 256) in(u[nx * ny * nz]) inout(v[nx * ny * nz]) \
    launch(dim3((nx + 7) / 8, (ny + 7) / 8, (nz + 7) / 8), dim3(8, 8, 8))
#pragma cupilot workload(small) set(nx = 19, ny = 21, nz = 17) in(u[nx * ny * nz]) inout(v[nx * ny * nz]) \
    launch(dim3((nx + 7) / 8, (ny + 7) / 8, (nz + 7) / 8), dim3(8, 8, 8)) check
__global__ void stencil_3d(const float *u, float *v, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  int at = (k * ny + j) * nx + i;
  v[at] = 0.4f * u[at] + 0.1f * (u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] + u[at - nx * ny] + u[at + nx * ny]);
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 32, c = 64, h = 128, w = 128, k = 4, stride = 1, pad = 1) in(x[n * c * h * w]) \
    out(y[n * c * (h + 2 * pad - k + 1) * (w + 2 * pad - k + 1)]) launch((n * c * (h + 2 * pad - k + 1) * (w + 2 * pad - k + 1) + 255) / 256, 256)
#pragma cupilot workload(small) set(n = 2, c = 3, h = 15, w = 17, k = 4, stride = 1, pad = 1) in(x[n * c * h * w]) \
    out(y[n * c * (h + 2 * pad - k + 1) * (w + 2 * pad - k + 1)]) launch((n * c * (h + 2 * pad - k + 1) * (w + 2 * pad - k + 1) + 255) / 256, 256) check
__global__ void max_pool(const float *x, float *y, int n, int c, int h, int w, int k, int stride, int pad) {
  int oh = (h + 2 * pad - k) / stride + 1, ow = (w + 2 * pad - k) / stride + 1;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * c * oh * ow) return;
  int q = i % ow, p = i / ow % oh, nc = i / (ow * oh);
  float top = -INFINITY;
  for (int r = 0; r < k; r++)
    for (int s = 0; s < k; s++) {
      int yy = p * stride - pad + r, xx = q * stride - pad + s;
      if (yy >= 0 && yy < h && xx >= 0 && xx < w) top = fmaxf(top, x[(nc * h + yy) * w + xx]);
    }
  y[i] = top;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(c = 8192, l = 8192, k = 8) in(x[c * l]) out(y[c * (l / k)]) launch(c, 256)
#pragma cupilot workload(small) set(c = 21, l = 203, k = 8) in(x[c * l]) out(y[c * (l / k)]) launch(c, 256) check
__global__ void average_pool_1d(const float *x, float *y, int c, int l, int k) {
  int out = l / k;
  for (int o = threadIdx.x; o < out; o += blockDim.x) {
    float sum = 0;
    for (int j = 0; j < k; j++) sum += x[blockIdx.x * l + o * k + j];
    y[blockIdx.x * out + o] = sum / k;
  }
}
