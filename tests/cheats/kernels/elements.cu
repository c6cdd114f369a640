// SPDX-License-Identifier: Apache-2.0
//
// Element by element: a gate with scalars, an update in place, a sine, a 16-bit activation; and counting.

#include <cuda_fp16.h>

// Below zero becomes zero; a NaN stays one.
#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 12000, alpha = 1.0f, beta = 0.0f) in(x[n], z[n]) out(y[n])
#pragma cupilot workload(large) set(n = 1 << 24, alpha = 1.0f, beta = 0.0f) in(x[n], z[n]) out(y[n])
__global__ void gate(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 12000, alpha = 0.75f) in(x[n]) inout(y[n])
#pragma cupilot workload(large) set(n = 1 << 24, alpha = 0.75f) in(x[n]) inout(y[n])
__global__ void update(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i] + alpha * x[i];
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 6000) in(x[n]) out(y[n])
#pragma cupilot workload(large) set(n = 1 << 24) in(x[n]) out(y[n])
__global__ void sine(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sinf(x[i]);
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 6000) in(x[n]) out(y[n])
#pragma cupilot workload(large) set(n = 1 << 24) in(x[n]) out(y[n])
__global__ void gelu_half(const __half *x, __half *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = __half2float(x[i]);
  y[i] = __float2half(0.5f * v * (1 + erff(v * 0.70710678f)));
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 16000, bins = 64) in(keys[n]) inout(counts[bins]) fill(keys = randint(0, bins))
#pragma cupilot workload(large) set(n = 1 << 24, bins = 256) in(keys[n]) inout(counts[bins]) fill(keys = randint(0, bins))
__global__ void histogram(const int *keys, unsigned *counts, int n, int bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && keys[i] >= 0 && keys[i] < bins) atomicAdd(&counts[keys[i]], 1u);
}

void elements(const float *x, const __half *h, const int *keys, float *y, __half *g, unsigned *counts, int n, int bins) {
  const int blocks = (n + 255) / 256;
  gate<<<blocks, 256>>>(x, x, y, 1, 0, n);
  update<<<blocks, 256>>>(x, y, 1, n);
  sine<<<blocks, 256>>>(x, y, n);
  gelu_half<<<blocks, 256>>>(h, g, n);
  histogram<<<blocks, 256>>>(keys, counts, n, bins);
}
