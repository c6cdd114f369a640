// SPDX-License-Identifier: Apache-2.0
//
// Fused row programs: softmax, norms and scans (KernelBench level 1: 23, 24, 33 to 40, 89 to 93).
#include <math.h>

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 8192, cols = 8192) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 127) / 128, 128)
#pragma cupilot workload(small) set(rows = 40, cols = 193) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 127) / 128, 128) check
__global__ void log_softmax(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float top = -INFINITY, sum = 0;
  for (int c = 0; c < cols; c++) top = fmaxf(top, x[row * cols + c]);
  for (int c = 0; c < cols; c++) sum += expf(x[row * cols + c] - top);
  float shift = top + logf(sum);
  for (int c = 0; c < cols; c++) y[row * cols + c] = x[row * cols + c] - shift;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 16384, cols = 4096) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 256)
#pragma cupilot workload(small) set(rows = 20, cols = 517) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 256) check
__global__ void softmax_tree(const float *x, float *y, int rows, int cols) {
  __shared__ float sh[256];
  int row = blockIdx.x, t = threadIdx.x;
  float m = -INFINITY;
  for (int c = t; c < cols; c += 256) m = fmaxf(m, x[row * cols + c]);
  sh[t] = m;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (t < s) sh[t] = fmaxf(sh[t], sh[t + s]);
    __syncthreads();
  }
  m = sh[0];
  __syncthreads();
  float sum = 0;
  for (int c = t; c < cols; c += 256) sum += expf(x[row * cols + c] - m);
  sh[t] = sum;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (t < s) sh[t] += sh[t + s];
    __syncthreads();
  }
  for (int c = t; c < cols; c += 256) y[row * cols + c] = expf(x[row * cols + c] - m) / sh[0];
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 16384, cols = 4096) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 7) / 8, 256)
#pragma cupilot workload(small) set(rows = 21, cols = 300) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 7) / 8, 256) check
__global__ void l2_norm_warps(const float *x, float *y, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int c = lane; c < cols; c += 32) sum += x[row * cols + c] * x[row * cols + c];
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffff, sum, o);
  float norm = sqrtf(sum);
  for (int c = lane; c < cols; c += 32) y[row * cols + c] = x[row * cols + c] / norm;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 32, features = 64, plane = 128 * 128, eps = 1e-5) in(x[batch * features * plane]) \
    out(y[batch * features * plane]) launch((batch * plane + 255) / 256, 256)
#pragma cupilot workload(small) set(batch = 2, features = 19, plane = 12 * 13, eps = 1e-5) in(x[batch * features * plane]) \
    out(y[batch * features * plane]) launch((batch * plane + 255) / 256, 256) check
__global__ void rms_norm_channels(const float *x, float *y, int batch, int features, int plane, float eps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * plane) return;
  int b = i / plane, at = i % plane;
  float sum = 0;
  for (int f = 0; f < features; f++) {
    float v = x[(b * features + f) * plane + at];
    sum += v * v;
  }
  float rms = sqrtf(sum / features + eps);
  for (int f = 0; f < features; f++) y[(b * features + f) * plane + at] = x[(b * features + f) * plane + at] / rms;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 64, c = 64, plane = 128 * 128, eps = 1e-5) in(x[n * c * plane]) out(y[n * c * plane]) launch(n * c, 256)
#pragma cupilot workload(small) set(n = 3, c = 5, plane = 17 * 19, eps = 1e-5) in(x[n * c * plane]) out(y[n * c * plane]) launch(n * c, 256) check
__global__ void instance_norm(const float *x, float *y, int n, int c, int plane, float eps) {
  __shared__ float sums[256], squares[256];
  const float *from = x + (size_t)blockIdx.x * plane;
  float *to = y + (size_t)blockIdx.x * plane;
  float s = 0, q = 0;
  for (int i = threadIdx.x; i < plane; i += blockDim.x) {
    s += from[i];
    q += from[i] * from[i];
  }
  sums[threadIdx.x] = s;
  squares[threadIdx.x] = q;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      sums[threadIdx.x] += sums[threadIdx.x + half];
      squares[threadIdx.x] += squares[threadIdx.x + half];
    }
    __syncthreads();
  }
  float mean = sums[0] / plane;
  float scale = rsqrtf(squares[0] / plane - mean * mean + eps);
  for (int i = threadIdx.x; i < plane; i += blockDim.x) to[i] = (from[i] - mean) * scale;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 8192, cols = 8192) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 127) / 128, 128)
#pragma cupilot workload(small) set(rows = 30, cols = 301) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 127) / 128, 128) check
__global__ void cumsum(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float run = 0;
  for (int c = 0; c < cols; c++) {
    run += x[r * cols + c];
    y[r * cols + c] = run;
  }
}
