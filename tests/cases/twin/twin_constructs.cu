// SPDX-License-Identifier: Apache-2.0
//
// One small kernel for each construct that the twin promotes; twin_compile_test.cpp puts them through nvcc.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

#include <cfloat>
#include <cmath>
#include <limits>

#define FETCH_FLOAT4(at) (reinterpret_cast<const float4 *>(&(at))[0])
#define NEGATIVE_INFINITY -FLT_MAX

constexpr float kEpsilon = 1e-5f, kLargest = std::numeric_limits<float>::max();
__constant__ float kWeights[3] = {0.25f, 0.5f, 0x1p-2f};
typedef float real;

struct Moments {
  float mean = 0.0f, square = 0.0f;
};

template <class T>
struct Accumulator {
  using type = T;
};
template <>
struct Accumulator<__half> {
  using type = float;
};
template <>
struct Accumulator<__nv_bfloat16> {
  using type = float;
};

__device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ float4 make_float4(float all) {
  return make_float4(all, all, all, all);
}

template <class T>
__device__ float to_float(T value) {
  return value;
}
template <>
__device__ float to_float<__half>(__half value) {
  return __half2float(value);
}
template <>
__device__ float to_float<__nv_bfloat16>(__nv_bfloat16 value) {
  return __bfloat162float(value);
}

__device__ float warp_sum(float value) {
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_xor_sync(0xffffffffu, value, lane);
  return value + __shfl_down_sync(0xffffffffu, value, 1, 16);
}

__global__ void functions(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sine, cosine, whole;
  int exponent;
  sincosf(x[i], &sine, &cosine);
  float sum =
      expf(x[i]) + logf(fabsf(x[i]) + kEpsilon) + rsqrtf(x[i]) + tanhf(x[i]) + erff(x[i]) + sine * cosine;
  sum += powf(x[i], 2.0f) + fmaxf(x[i], 0.0f) + fminf(x[i], n) + fmaf(x[i], x[i], 1.f) + atan2f(x[i], 2.f);
  sum += __expf(x[i]) + __logf(x[i]) + __fdividef(x[i], 3.0f) + __frcp_rn(x[i]) + __fsqrt_rn(x[i]) +
         __saturatef(x[i]);
  sum += modff(x[i], &whole) + frexpf(x[i], &exponent) + ldexpf(x[i], exponent) + std::sqrt(x[i]) +
         exp(x[i]) + max(x[i], 0.f);
  sum += __fadd_rn(x[i], 1.0f) + __fmaf_rn(x[i], 2.0f, 1.0f) + __int2float_rn(n) + (float)n + float(i);
  sum += std::fmaxf(x[i], 1.0f) + ::sqrtf(x[i]) + INFINITY * 0.0f + CUDART_INF_F * 0.0f;
  const int rounded = __float2int_rn(x[i]) + (int)x[i] + static_cast<int>(sum) + lrintf(x[i]);
  if (isnan(sum) || isinf(sum)) sum = kLargest;
  y[i] = sum + rounded + __int_as_float(0x3f800000);
}

__global__ void vectors(const float *__restrict__ x, float *__restrict__ y, const float4 *v, int n) {
  const float4 a = FETCH_FLOAT4(x[4 * threadIdx.x]), b = __ldg(v + threadIdx.x), c = make_float4(1.0f);
  float4 d = a + b + c, parts[2] = {a, b};
  float2 low = make_float2(d.x, d.y);
  float3 more{1.0f, 2.0f, 3.0f};
  d.w += low.x * more.z + parts[1].x + sizeof(float4) / sizeof(float);
  __stcs(reinterpret_cast<float4 *>(y) + threadIdx.x, d);
  if (threadIdx.x < n) atomicAdd(&y[threadIdx.x], 1.0f);
}

__global__ void shared_memory(const float *x, float *y, int n) {
  __shared__ float tile[32][33];
  extern __shared__ float dynamic[];
  __shared__ real total;
  Moments moments;
  float best = NEGATIVE_INFINITY;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    tile[i % 32][0] = x[i], dynamic[i] = x[i] * kWeights[i % 3];
    moments.mean += x[i], moments.square += x[i] * x[i], best = max(best, x[i]);
  }
  __syncthreads();
  auto mean = warp_sum(moments.mean) / n;
  if (threadIdx.x == 0) total = mean;
  __syncthreads();
  y[threadIdx.x] = total + best + tile[0][0] + dynamic[0] + moments.square;
}

template <class T, int kLanes>
__global__ void templated(const T *x, T *y, float scale, int n) {
  using Sum = typename Accumulator<T>::type;
  Sum sum = 0;
  for (int i = threadIdx.x; i < n; i += kLanes) sum += to_float(x[i]);
  sum = warp_sum(sum) * scale;
  y[threadIdx.x] = static_cast<T>(sum);
}

__global__ void halves(const __half *x, __half *y, const half2 *pairs, half2 *out, int n) {
  const int i = threadIdx.x;
  __shared__ half tile[64];
  half2 pair = __hfma2(pairs[i], __float2half2_rn(2.0f), __floats2half2_rn(1.0f, 0.5f));
  pair = __hmax2(__hadd2(pair, pair), __hmul2(pair, h2exp(pair)));
  const float2 both = __half22float2(pair);
  half one = __hadd(x[i], __float2half(both.x)) * x[i] + __low2half(pair);
  one += __hmul(one, __int2half_rn(n));
  if (__hgt(one, x[0]) || one < x[1]) one = __hneg(one);
  tile[i] = __shfl_down_sync(0xffffffffu, one, 1);
  __syncthreads();
  y[i] = __hmax(tile[i], hexp(one)) / __float2half_rn(both.y + __half2float(one));
  out[i] = __halves2half2(y[i], one) + *reinterpret_cast<const half2 *>(x + 2 * i);
  atomicAdd(y, one);
}

__global__ void brain_floats(const __nv_bfloat16 *x, __nv_bfloat16 *y, __nv_bfloat162 *pairs, int n) {
  const int i = threadIdx.x;
  __nv_bfloat162 pair = __hmul2(pairs[i], __float2bfloat162_rn(0.5f));
  float sum = __bfloat162float(x[i]) + __low2float(pair) + __high2float(pair);
  sum += static_cast<float>(x[i]) * 0.5f;
  pairs[i] = __floats2bfloat162_rn(sum, n);
  y[i] = __float2bfloat16(sum);
}

/// The other instantiations of `templated`; the entry makes the one for __half.
inline void instances() {
  void (*single)(const float *, float *, float, int) = templated<float, 32>;
  void (*brain)(const __nv_bfloat16 *, __nv_bfloat16 *, float, int) = templated<__nv_bfloat16, 32>;
  (void)single, (void)brain;
}
template __global__ void templated<__half, 32>(const __half *, __half *, float, int);
