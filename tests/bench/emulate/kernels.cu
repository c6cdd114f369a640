// SPDX-License-Identifier: Apache-2.0
//
// What emulate_bench runs. kernels.ptx is made from it: nvcc -arch=sm_90 -ptx kernels.cu -o kernels.ptx

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void gemm(int n, const float *a, const float *b, float *c) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += a[row * n + i] * b[i * n + column];
  c[row * n + column] = sum;
}

constexpr int kTile = 16;
extern "C" __global__ void gemm_tiled(int n, const float *a, const float *b, float *c) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int t = 0; t < n; t += kTile) {
    tile_a[y][x] = a[row * n + t + x];
    tile_b[y][x] = b[(t + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; i++) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void reduce(int n, const float *x, float *out) {
  __shared__ float partial[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  partial[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int d = 128; d; d >>= 1) {
    if (t < d) partial[t] += partial[t + d];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, partial[0]);
}

extern "C" __global__ void collatz(int n, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned value = i + 1;
  int steps = 0;
  while (value != 1) {
    if (value & 1)
      value = 3 * value + 1;
    else
      value >>= 1;
    ++steps;
  }
  out[i] = steps;
}
