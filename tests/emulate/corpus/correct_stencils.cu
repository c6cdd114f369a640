// SPDX-License-Identifier: Apache-2.0
// Neighbourhoods: stencils, convolutions, images.

// run: difference<<<3, 64>>>(f32[180] random, f32[180], i32 180) = difference
extern "C" __global__ void difference(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float left = i > 0 ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
  y[i] = right - left;
}

// run: difference_shared<<<3, 64>>>(f32[180] random, f32[180], i32 180) = difference
extern "C" __global__ void difference_shared(const float *x, float *y, int n) {
  __shared__ float s[66];
  int i = blockIdx.x * 64 + threadIdx.x, t = threadIdx.x + 1;
  s[t] = i < n ? x[i] : 0;
  if (threadIdx.x == 0) s[0] = i > 0 ? x[i - 1] : 0;
  if (threadIdx.x == 63) s[65] = i + 1 < n ? x[i + 1] : 0;
  __syncthreads();
  if (i < n) y[i] = s[t + 1] - s[t - 1];
}

// run: difference_shuffles<<<6, 32>>>(f32[180] random, f32[180], i32 180) = difference
extern "C" __global__ void difference_shuffles(const float *x, float *y, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  float v = i < n ? x[i] : 0;
  float left = __shfl_up_sync(0xffffffffu, v, 1), right = __shfl_down_sync(0xffffffffu, v, 1);
  if (threadIdx.x == 0) left = i > 0 ? x[i - 1] : 0;
  if (threadIdx.x == 31) right = i + 1 < n ? x[i + 1] : 0;
  if (i < n) y[i] = right - left;
}

__constant__ float taps[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
// run: filter_constant<<<2, 96>>>(f32[192] random, f32[188]) = filter5
extern "C" __global__ void filter_constant(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 188) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 5; ++k) sum += taps[k] * x[i + k];
  y[i] = sum;
}

// run: filter_dynamic_shared<<<2, 94, 392>>>(f32[192] random, f32[188]) = filter5
extern "C" __global__ void filter_dynamic_shared(const float *x, float *y) {
  extern __shared__ float s[];
  int base = blockIdx.x * blockDim.x;
  for (int i = threadIdx.x; i < blockDim.x + 4; i += blockDim.x) s[i] = x[base + i];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum += taps[k] * s[threadIdx.x + k];
  y[base + threadIdx.x] = sum;
}

// run: five_point<<<2x3, 16x8>>>(f32[768] random, f32[768], i32 32, i32 24) = five_point
extern "C" __global__ void five_point(const float *x, float *y, int width, int height) {
  int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, i = r * width + c;
  if (c == 0 || r == 0 || c == width - 1 || r == height - 1) y[i] = x[i];
  else y[i] = 0.25f * (x[i - 1] + x[i + 1] + x[i - width] + x[i + width]);
}

// run: five_point_tile<<<2x3, 16x8>>>(f32[768] random, f32[768], i32 32, i32 24) = five_point
extern "C" __global__ void five_point_tile(const float *x, float *y, int width, int height) {
  __shared__ float s[10][18];
  int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, i = r * width + c;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  s[ty][tx] = x[i];
  if (tx == 1 && c > 0) s[ty][0] = x[i - 1];
  if (tx == 16 && c < width - 1) s[ty][17] = x[i + 1];
  if (ty == 1 && r > 0) s[0][tx] = x[i - width];
  if (ty == 8 && r < height - 1) s[9][tx] = x[i + width];
  __syncthreads();
  bool border = c == 0 || r == 0 || c == width - 1 || r == height - 1;
  y[i] = border ? s[ty][tx] : 0.25f * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx]);
}

// run: jacobi_in_block<<<1, 128>>>(f32[128] random, f32[128], i32 10) = jacobi ~1e-6
extern "C" __global__ void jacobi_in_block(const float *x, float *y, int steps) {
  __shared__ float a[128], b[128];
  float *from = a, *to = b;
  int t = threadIdx.x;
  from[t] = x[t];
  for (int k = 0; k < steps; ++k) {
    __syncthreads();
    to[t] = t > 0 && t < 127 ? 0.5f * (from[t - 1] + from[t + 1]) : from[t];
    float *swap = from;
    from = to, to = swap;
  }
  y[t] = from[t];
}

// run: seven_point<<<1x1x1, 8x8x8>>>(f32[512] random, f32[512]) = seven_point
extern "C" __global__ void seven_point(const float *x, float *y) {
  int i = (threadIdx.z * 8 + threadIdx.y) * 8 + threadIdx.x;
  float sum = -6 * x[i];
  sum += threadIdx.x > 0 ? x[i - 1] : 0;
  sum += threadIdx.x < 7 ? x[i + 1] : 0;
  sum += threadIdx.y > 0 ? x[i - 8] : 0;
  sum += threadIdx.y < 7 ? x[i + 8] : 0;
  sum += threadIdx.z > 0 ? x[i - 64] : 0;
  sum += threadIdx.z < 7 ? x[i + 64] : 0;
  y[i] = sum;
}

// run: life<<<2x2, 16x16>>>(u8[1024] mod 2, u8[1024]) = life
extern "C" __global__ void life(const unsigned char *x, unsigned char *y) {
  int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y, alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) alive += x[((r + dy) & 31) * 32 + ((c + dx) & 31)];
  y[r * 32 + c] = alive == 3 || (alive == 2 && x[r * 32 + c]);
}

// run: median_of_three<<<1, 128>>>(i32[130] random, i32[128]) = median3
extern "C" __global__ void median_of_three(const int *x, int *y) {
  int a = x[threadIdx.x], b = x[threadIdx.x + 1], c = x[threadIdx.x + 2];
  y[threadIdx.x] = max(min(a, b), min(max(a, b), c));
}

// run: pool_maximum<<<2, 64>>>(f32[512] random, f32[128]) = pool4
extern "C" __global__ void pool_maximum(const float4 *x, float *y) {
  int i = blockIdx.x * 64 + threadIdx.x;
  float4 v = x[i];
  y[i] = fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
}

// run: luminance<<<1, 64>>>(u8[256] random, u8[64]) = luminance
extern "C" __global__ void luminance(const uchar4 *pixels, unsigned char *y) {
  uchar4 p = pixels[threadIdx.x];
  y[threadIdx.x] = (77 * p.x + 150 * p.y + 29 * p.z) >> 8;
}

struct View {
  const float *data;
  int width, height;
  __device__ float at(int r, int c) const {
    r = min(max(r, 0), height - 1), c = min(max(c, 0), width - 1);
    return data[r * width + c];
  }
};
// run: blur_view<<<1, 16x12>>>(f32[192] random, f32[192], i32 16, i32 12) = blur9
extern "C" __global__ void blur_view(const float *x, float *y, int width, int height) {
  View view{x, width, height};
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += view.at(threadIdx.y + dy, threadIdx.x + dx);
  y[threadIdx.y * width + threadIdx.x] = sum;
}
