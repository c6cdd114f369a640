// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_fp16.h>
#include <vector>

#define TILE 32
#define CHECK(call) \
  if ((call) != cudaSuccess) std::printf("%s failed in line %d\n", #call, __LINE__)
#define LAUNCH(kernel, n, ...) kernel<<<((n) + 255) / 256, 256>>>(__VA_ARGS__)

#pragma cupilot optimize
#pragma cupilot workload set(n = 1024) in(a[n * n]) out(b[n * n])
__global__ void transpose(const float *a, float *b, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = a[y * n + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  if (x < n && y < n) b[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

static __device__ __forceinline__ float square(float v) { return v * v; }

#pragma cupilot optimize
#pragma cupilot workload set(rows = 512, cols = 100, eps = 1e-5f) in(x[rows * cols], w[cols]) out(y[rows * cols])
__global__ void rms_norm(const float *__restrict__ x, const float *w, float *y, int rows, int cols, float eps) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += square(x[row * cols + c]);
  const float scale = rsqrtf(sum / cols + eps);
  for (int c = 0; c < cols; ++c) y[row * cols + c] = x[row * cols + c] * scale * w[c];
}

#pragma cupilot optimize
#pragma cupilot workload set(n = 1 << 20) in(x[n]) out(y[n])
__global__ void scale_half(const __half *x, __half *y, size_t n) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = __float2half(__half2float(x[i]) * 0.5f + 1.0f);
}

#pragma cupilot optimize
#pragma cupilot workload set(n = 1 << 20, a = 2) in(x[n]) inout(y[n])
__global__ void saxpy(int n, float a, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}

int main() {
  const int n = 1024;
  float *a = nullptr, *b = nullptr;
  __half *h = nullptr;
  CHECK(cudaMalloc(&a, n * n * sizeof(float)));
  CHECK(cudaMalloc(&b, n * n * sizeof(float)));
  CHECK(cudaMalloc(&h, n * n * sizeof(__half)));
  const dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  transpose<<<grid, block>>>(a, b, n);
  std::vector<float> host(n);
  LAUNCH(rms_norm, (int)host.size(), a, b, b, (int)host.size(), 7, 1e-6f);
  LAUNCH(scale_half, size_t(n) * n, h, h, size_t(n) * n);
  saxpy<<<32, 256>>>(n, 2.f, a, b);
  CHECK(cudaDeviceSynchronize());
}
