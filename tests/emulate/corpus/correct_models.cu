// SPDX-License-Identifier: Apache-2.0
// Layers of neural networks in single and half precision.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ __forceinline__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}
__device__ __forceinline__ float warp_max(float v) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}

// run: softmax_thread<<<1, 16>>>(f32[800] random, f32[800], i32 50) = softmax ~1e-5
extern "C" __global__ void softmax_thread(const float *x, float *y, int columns) {
  const float *row = x + threadIdx.x * columns;
  float most = -INFINITY, sum = 0;
  for (int c = 0; c < columns; ++c) most = fmaxf(most, row[c]);
  for (int c = 0; c < columns; ++c) sum += expf(row[c] - most);
  for (int c = 0; c < columns; ++c) y[threadIdx.x * columns + c] = expf(row[c] - most) / sum;
}

// run: softmax_warp<<<4, 32x4>>>(f32[800] random, f32[800], i32 50) = softmax ~1e-5
extern "C" __global__ void softmax_warp(const float *x, float *y, int columns) {
  int row = blockIdx.x * 4 + threadIdx.y;
  float most = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < columns; c += 32) most = fmaxf(most, x[row * columns + c]);
  most = warp_max(most);
  for (int c = threadIdx.x; c < columns; c += 32) sum += __expf(x[row * columns + c] - most);
  sum = warp_sum(sum);
  for (int c = threadIdx.x; c < columns; c += 32) y[row * columns + c] = __expf(x[row * columns + c] - most) / sum;
}

// run: softmax_block<<<4, 128>>>(f32[800] random, f32[800], i32 200) = softmax ~1e-5
extern "C" __global__ void softmax_block(const float *x, float *y, int columns) {
  __shared__ float s[128];
  int t = threadIdx.x;
  const float *row = x + blockIdx.x * columns;
  float most = -INFINITY, sum = 0;
  for (int c = t; c < columns; c += 128) most = fmaxf(most, row[c]);
  s[t] = most;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] = fmaxf(s[t], s[t + d]);
    __syncthreads();
  }
  most = s[0];
  __syncthreads();
  for (int c = t; c < columns; c += 128) sum += expf(row[c] - most);
  s[t] = sum;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  for (int c = t; c < columns; c += 128) y[blockIdx.x * columns + c] = expf(row[c] - most) / s[0];
}

// run: softmax_online<<<16, 32>>>(f32[800] random, f32[800], i32 50) = softmax ~1e-5
extern "C" __global__ void softmax_online(const float *x, float *y, int columns) {
  const float *row = x + blockIdx.x * columns;
  float most = -1e30f, sum = 0;
  for (int c = threadIdx.x; c < columns; c += 32) {
    float v = row[c], next = fmaxf(most, v);
    sum = sum * expf(most - next) + expf(v - next);
    most = next;
  }
  for (int d = 16; d > 0; d /= 2) {
    float other = __shfl_xor_sync(0xffffffffu, most, d), other_sum = __shfl_xor_sync(0xffffffffu, sum, d);
    float next = fmaxf(most, other);
    sum = sum * expf(most - next) + other_sum * expf(other - next);
    most = next;
  }
  for (int c = threadIdx.x; c < columns; c += 32) y[blockIdx.x * columns + c] = expf(row[c] - most) / sum;
}

// run: softmax_double<<<1, 8>>>(f64[80] random, f64[80], i32 10) = softmax ~1e-12
extern "C" __global__ void softmax_double(const double *x, double *y, int columns) {
  const double *row = x + threadIdx.x * columns;
  double sum = 0;
  for (int c = 0; c < columns; ++c) sum += exp(row[c]);
  for (int c = 0; c < columns; ++c) y[threadIdx.x * columns + c] = exp(row[c]) / sum;
}

// run: rms_norm<<<8, 64>>>(f32[800] random, f32[800], i32 100) = rms_norm ~1e-5
extern "C" __global__ void rms_norm(const float *x, float *y, int columns) {
  __shared__ float s[2];
  const float *row = x + blockIdx.x * columns;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 64) sum += row[c] * row[c];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  float scale = rsqrtf((s[0] + s[1]) / columns + 1e-5f);
  for (int c = threadIdx.x; c < columns; c += 64) y[blockIdx.x * columns + c] = row[c] * scale;
}

// run: layer_norm<<<8, 32>>>(f32[800] random, f32[800], i32 100) = layer_norm ~1e-4
extern "C" __global__ void layer_norm(const float *x, float *y, int columns) {
  const float *row = x + blockIdx.x * columns;
  float sum = 0, squares = 0;
  for (int c = threadIdx.x; c < columns; c += 32) sum += row[c], squares += row[c] * row[c];
  float mean = warp_sum(sum) / columns, variance = warp_sum(squares) / columns - mean * mean;
  for (int c = threadIdx.x; c < columns; c += 32)
    y[blockIdx.x * columns + c] = (row[c] - mean) * rsqrtf(variance + 1e-5f);
}

// run: gelu<<<2, 64>>>(f32[128] random, f32[128]) = gelu ~1e-5
extern "C" __global__ void gelu(const float *x, float *y) {
  float v = x[blockIdx.x * 64 + threadIdx.x];
  y[blockIdx.x * 64 + threadIdx.x] = 0.5f * v * (1 + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

// run: gelu_bf16<<<1, 64>>>(bf16[128] random, bf16[128]) = gelu ~8e-3
extern "C" __global__ void gelu_bf16(const __nv_bfloat162 *x, __nv_bfloat162 *y) {
  float2 v = __bfloat1622float2(x[threadIdx.x]);
  v.x = 0.5f * v.x * (1 + tanhf(0.7978845608f * (v.x + 0.044715f * v.x * v.x * v.x)));
  v.y = 0.5f * v.y * (1 + tanhf(0.7978845608f * (v.y + 0.044715f * v.y * v.y * v.y)));
  y[threadIdx.x] = __floats2bfloat162_rn(v.x, v.y);
}

// run: silu<<<2, 64>>>(f32[128] random, f32[128]) = silu ~1e-5
extern "C" __global__ void silu(const float *x, float *y) {
  float v = x[blockIdx.x * 64 + threadIdx.x];
  y[blockIdx.x * 64 + threadIdx.x] = v / (1 + __expf(-v));
}

// run: relu_half2<<<1, 64>>>(f16[128] random, f16[128]) = relu
extern "C" __global__ void relu_half2(const __half2 *x, __half2 *y) {
  y[threadIdx.x] = __hmax2(x[threadIdx.x], __float2half2_rn(0.0f));
}

// run: axpy_half2<<<1, 64>>>(f16[128] random, f16[128] random, f16[128]) = axpy_half ~1e-3
extern "C" __global__ void axpy_half2(const __half2 *x, const __half2 *y, __half2 *z) {
  z[threadIdx.x] = __hfma2(__float2half2_rn(0.5f), x[threadIdx.x], y[threadIdx.x]);
}

// run: axpy_bf16<<<2, 64>>>(bf16[128] random, bf16[128] random, bf16[128]) = axpy_half ~8e-3
extern "C" __global__ void axpy_bf16(const __nv_bfloat16 *x, const __nv_bfloat16 *y, __nv_bfloat16 *z) {
  int i = blockIdx.x * 64 + threadIdx.x;
  z[i] = __hfma(__float2bfloat16(0.5f), x[i], y[i]);
}

// run: sum_of_halves<<<4, 32>>>(f16[128] random, f32[4]) = block_sums
extern "C" __global__ void sum_of_halves(const __half *x, float *sums) {
  float v = warp_sum(__half2float(x[blockIdx.x * 32 + threadIdx.x]));
  if (threadIdx.x == 0) sums[blockIdx.x] = v;
}

// run: half_compare<<<1, 64>>>(f16[64] random, f16[64] random, i32[64]) = compare
extern "C" __global__ void half_compare(const __half *x, const __half *y, int *z) {
  __half a = x[threadIdx.x], b = y[threadIdx.x];
  z[threadIdx.x] = __hlt(a, b) | __heq(a, b) << 1 | __hge(a, b) << 2;
}

// run: quantize<<<1, 64>>>(f32[64] random, i8[64], f32 100) = quantize
extern "C" __global__ void quantize(const float *x, signed char *y, float scale) {
  int v = __float2int_rn(x[threadIdx.x] * scale);
  y[threadIdx.x] = max(-90, min(90, v));
}

// run: dot_of_bytes<<<1, 32>>>(i8[256] random, i8[256] random, i32[1]) = dot
extern "C" __global__ void dot_of_bytes(const int *a, const int *b, int *sum) {
  int v = __dp4a(a[2 * threadIdx.x], b[2 * threadIdx.x], 0);
  v = __dp4a(a[2 * threadIdx.x + 1], b[2 * threadIdx.x + 1], v);
  v = __reduce_add_sync(0xffffffffu, v);
  if (threadIdx.x == 0) *sum = v;
}

// run: cross_entropy<<<4, 32>>>(f32[128] random, i32[4] mod 32, f32[4]) = cross_entropy ~1e-5
extern "C" __global__ void cross_entropy(const float *logits, const int *label, float *loss) {
  float v = logits[blockIdx.x * 32 + threadIdx.x], most = warp_max(v), sum = warp_sum(expf(v - most));
  float chosen = __shfl_sync(0xffffffffu, v, label[blockIdx.x]);
  if (threadIdx.x == 0) loss[blockIdx.x] = logf(sum) + most - chosen;
}

// run: rotary<<<2, 32>>>(f32[128] random, f32[128]) = rotary ~1e-5
extern "C" __global__ void rotary(const float2 *x, float2 *y) {
  int i = blockIdx.x * 32 + threadIdx.x;
  float s, c;
  sincosf(blockIdx.x * powf(10000.0f, -(float)threadIdx.x / 32), &s, &c);
  float2 v = x[i];
  y[i] = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}

// run: attention_row<<<8, 32>>>(f32[256] random, f32[1024] random, f32[1024] random, f32[256]) = attention ~1e-5
extern "C" __global__ void attention_row(const float *q, const float *k, const float *v, float *out) {
  __shared__ float weights[32];
  const float *row = q + blockIdx.x * 32;
  float score = 0;
  for (int d = 0; d < 32; ++d) score += row[d] * k[threadIdx.x * 32 + d];
  float most = warp_max(score), e = expf(score - most), sum = warp_sum(e);
  weights[threadIdx.x] = e / sum;
  __syncwarp();
  float result = 0;
  for (int j = 0; j < 32; ++j) result += weights[j] * v[j * 32 + threadIdx.x];
  out[blockIdx.x * 32 + threadIdx.x] = result;
}

// run: embedding<<<4, 16>>>(f32[512] random, i32[4] mod 32, f32[64]) = embedding
extern "C" __global__ void embedding(const float *table, const int *tokens, float *y) {
  y[blockIdx.x * 16 + threadIdx.x] = table[tokens[blockIdx.x] * 16 + threadIdx.x];
}
