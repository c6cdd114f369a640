// SPDX-License-Identifier: Apache-2.0
//
// Reductions over rows, columns and everything, and losses (KernelBench level 1: 4, 47 to 53, 94 to 100).
#include <math.h>

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 8192, cols = 8192) in(x[rows * cols]) out(y[cols]) launch((cols + 255) / 256, 256)
#pragma cupilot workload(small) set(rows = 77, cols = 131) in(x[rows * cols]) out(y[cols]) launch((cols + 255) / 256, 256) check
__global__ void column_mean(const float *x, float *y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (int r = 0; r < rows; r++) sum += x[r * cols + c];
  y[c] = sum / rows;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 64, rows = 2048, cols = 512) in(x[batch * rows * cols]) out(y[batch * cols]) \
    launch((batch * cols + 255) / 256, 256)
#pragma cupilot workload(small) set(batch = 3, rows = 41, cols = 50) in(x[batch * rows * cols]) out(y[batch * cols]) \
    launch((batch * cols + 255) / 256, 256) check
__global__ void max_over_rows(const float *x, float *y, int batch, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * cols) return;
  int b = i / cols, c = i % cols;
  float top = -INFINITY;
  for (int r = 0; r < rows; r++) top = fmaxf(top, x[(b * rows + r) * cols + c]);
  y[i] = top;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 16384, cols = 4096) in(x[rows * cols]) out(y[rows]) launch((rows + 255) / 256, 256)
#pragma cupilot workload(small) set(rows = 61, cols = 203) in(x[rows * cols]) out(y[rows]) launch((rows + 255) / 256, 256) check
__global__ void row_min(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float least = x[(long)r * cols];
  for (int c = 1; c < cols; c++)
    if (x[(long)r * cols + c] < least) least = x[(long)r * cols + c];
  y[r] = least;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 16384, cols = 4096) in(a[rows * cols], x[cols]) out(y[rows]) launch((rows + 127) / 128, 128)
#pragma cupilot workload(small) set(rows = 45, cols = 300) in(a[rows * cols], x[cols]) out(y[rows]) launch((rows + 127) / 128, 128) check
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float acc = 0;
    for (int c = 0; c < cols; ++c) acc += a[(size_t)row * cols + c] * x[c];
    y[row] = acc;
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26) in(x[n]) inout(out[1]) launch((n + 255) / 256, 256)
#pragma cupilot workload(small) set(n = 20011) in(x[n]) inout(out[1]) launch((n + 255) / 256, 256) check
__global__ void sum_by_atomics(const float *x, float *out, int n) {
  __shared__ float sh[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sh[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) sh[threadIdx.x] += sh[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, sh[0]);
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 22) in(p[n], t[n]) out(loss[1]) launch(1, 1024)
#pragma cupilot workload(small) set(n = 12007) in(p[n], t[n]) out(loss[1]) launch(1, 1024) check
__global__ void mse_one_block(const float *p, const float *t, float *loss, int n) {
  __shared__ float parts[1024];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float d = p[i] - t[i];
    sum += d * d;
  }
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *loss = parts[0] / n;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 22) in(p[n], t[n]) out(loss[1]) launch(1, 512)
#pragma cupilot workload(small) set(n = 12007) in(p[n], t[n]) out(loss[1]) launch(1, 512) check
__global__ void huber_shuffles(const float *p, const float *t, float *loss, int n) {
  __shared__ float warps[32];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float d = fabsf(p[i] - t[i]);
    sum += d < 1 ? 0.5f * d * d : d - 0.5f;
  }
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(0xffffffff, sum, o);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int w = 0; w < blockDim.x / 32; w++) total += warps[w];
    *loss = total / n;
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26, bins = 256) in(x[n]) inout(counts[bins]) fill(x = randint(0, 256)) launch((n + 255) / 256, 256)
#pragma cupilot workload(small) set(n = 10007, bins = 256) in(x[n]) inout(counts[bins]) fill(x = randint(0, 256)) launch((n + 255) / 256, 256) check
__global__ void histogram(const int *x, int *counts, int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] >= 0 && x[i] < bins) atomicAdd(&counts[x[i]], 1);
}
