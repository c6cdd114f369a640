// SPDX-License-Identifier: Apache-2.0
//
// Matrix products in all layouts, convolutions and all pairs (KernelBench level 1: 1 to 18, 50 to 87).
#include <math.h>

#pragma cupilot optimize
#pragma cupilot workload(large) set(m = 2048, n = 2048, k = 2048) in(a[m * k], b[k * n]) out(c[m * n]) \
    launch(dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16))
#pragma cupilot workload(small) set(m = 67, n = 70, k = 65) in(a[m * k], b[k * n]) out(c[m * n]) \
    launch(dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)) check
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float acc = 0;
    for (int i = 0; i < k; ++i) acc += a[row * k + i] * b[i * n + col];
    c[row * n + col] = acc;
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(m = 2048, n = 2048, k = 2048) in(a[m * k], b[k * n]) out(c[m * n]) \
    launch(dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16))
#pragma cupilot workload(small) set(m = 67, n = 70, k = 65) in(a[m * k], b[k * n]) out(c[m * n]) \
    launch(dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)) check
__global__ void matmul_tiled(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[16][16], bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0;
  for (int t = 0; t < (k + 15) / 16; ++t) {
    as[threadIdx.y][threadIdx.x] = row < m && t * 16 + threadIdx.x < k ? a[row * k + t * 16 + threadIdx.x] : 0.f;
    bs[threadIdx.y][threadIdx.x] = t * 16 + threadIdx.y < k && col < n ? b[(t * 16 + threadIdx.y) * n + col] : 0.f;
    __syncthreads();
    for (int e = 0; e < 16; ++e) acc += as[threadIdx.y][e] * bs[e][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = acc;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(m = 2048, n = 2048, k = 2048, alpha = 1.5f, beta = 0.5f) in(a[k * m], b[n * k]) inout(c[m * n]) \
    launch(dim3((m + 15) / 16, (n + 15) / 16), dim3(16, 16))
#pragma cupilot workload(small) set(m = 67, n = 70, k = 65, alpha = 1.5f, beta = 0.5f) in(a[k * m], b[n * k]) inout(c[m * n]) \
    launch(dim3((m + 15) / 16, (n + 15) / 16), dim3(16, 16)) check
__global__ void gemm_both_transposed(const float *a, const float *b, float *c, int m, int n, int k, float alpha, float beta) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float acc = 0;
  for (int i = 0; i < k; ++i) acc += a[i * m + row] * b[col * k + i];
  c[row * n + col] = alpha * acc + beta * c[row * n + col];
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 32, m = 512, n = 512, k = 512) in(a[batch * m * k], b[batch * k * n]) out(c[batch * m * n]) \
    launch(dim3((n + 31) / 32, (m + 7) / 8, batch), dim3(32, 8))
#pragma cupilot workload(small) set(batch = 3, m = 35, n = 37, k = 33) in(a[batch * m * k], b[batch * k * n]) out(c[batch * m * n]) \
    launch(dim3((n + 31) / 32, (m + 7) / 8, batch), dim3(32, 8)) check
__global__ void batched_matmul(const float *a, const float *b, float *c, int batch, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
  if (row >= m || col >= n) return;
  float acc = 0;
  for (int i = 0; i < k; ++i) acc += a[(z * m + row) * k + i] * b[(z * k + i) * n + col];
  c[(z * m + row) * n + col] = acc;
}

#pragma cupilot optimize assume(H >= R, W >= R)
#pragma cupilot workload(large) set(N = 16, C = 32, H = 128, W = 128, K = 64, R = 3) in(x[N * C * H * W], w[K * C * R * R]) \
    out(y[N * K * (H - R + 1) * (W - R + 1)]) launch((N * K * (H - R + 1) * (W - R + 1) + 255) / 256, 256)
#pragma cupilot workload(small) set(N = 2, C = 3, H = 17, W = 19, K = 5, R = 3) in(x[N * C * H * W], w[K * C * R * R]) \
    out(y[N * K * (H - R + 1) * (W - R + 1)]) launch((N * K * (H - R + 1) * (W - R + 1) + 255) / 256, 256) check
__global__ void convolution(const float *x, const float *w, float *y, int N, int C, int H, int W, int K, int R) {
  int P = H - R + 1, Q = W - R + 1;
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= N * K * P * Q) return;
  int q = idx % Q, p = idx / Q % P, k = idx / (Q * P) % K, n = idx / (Q * P * K);
  float acc = 0;
  for (int c = 0; c < C; c++)
    for (int r = 0; r < R; r++)
      for (int s = 0; s < R; s++) acc += x[((n * C + c) * H + p + r) * W + q + s] * w[((k * C + c) * R + r) * R + s];
  y[idx] = acc;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 32768) in(p[n]) out(f[n]) launch((n + 255) / 256, 256)
#pragma cupilot workload(small) set(n = 515) in(p[n]) out(f[n]) launch((n + 255) / 256, 256) check
__global__ void bodies(const float4 *p, float4 *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float ax = 0, ay = 0, az = 0;
  float4 me = p[i];
  for (int j = 0; j < n; ++j) {
    float4 o = p[j];
    float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
    float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
    float w = o.w * inv * inv * inv;
    ax += w * dx;
    ay += w * dy;
    az += w * dz;
  }
  f[i] = make_float4(ax, ay, az, 0);
}
