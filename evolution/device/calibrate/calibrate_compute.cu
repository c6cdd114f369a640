// SPDX-License-Identifier: Apache-2.0
//
// Measures instructions: throughput (cycles that a warp's instruction takes of one full multiprocessor) and
// latency (one warp, each result is the next operand).
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "evolution/device/calibrate/calibrate_experiment.h"

namespace cupilot::device::calibrate {

namespace {

constexpr int kChains = 4, kSteps = 64;

/// Defines an operation: a type, a start value and step(a, b), where the compiler does not know b.
#define CUPILOT_OPERATION(name, type, expression)             \
  struct name {                                               \
    using T = type;                                           \
    static constexpr const char *kName = #name;               \
    static __device__ T step(T a, T b) { return expression; } \
  }

__device__ __forceinline__ float float_of(unsigned x) {
  return __uint_as_float(x);
}
__device__ __forceinline__ unsigned bits_of(float x) {
  return __float_as_uint(x);
}
__device__ __forceinline__ unsigned bits_of(__half2 x) {
  return *reinterpret_cast<unsigned *>(&x);
}
__device__ __forceinline__ __half2 half_of(unsigned x) {
  return *reinterpret_cast<__half2 *>(&x);
}
__device__ __forceinline__ unsigned bits_of(__nv_bfloat162 x) {
  return *reinterpret_cast<unsigned *>(&x);
}
__device__ __forceinline__ __nv_bfloat162 bf16_of(unsigned x) {
  return *reinterpret_cast<__nv_bfloat162 *>(&x);
}

CUPILOT_OPERATION(f32_add, float, a + b);
CUPILOT_OPERATION(f32_mul, float, a *b);
CUPILOT_OPERATION(f32_fma, float, fmaf(a, b, b));
CUPILOT_OPERATION(f32_max, float, fmaxf(-a, b));
CUPILOT_OPERATION(f32_div, float, a / b);
CUPILOT_OPERATION(f32_div_fast, float, __fdividef(a, b));
CUPILOT_OPERATION(f32_rcp, float, __frcp_rn(a));
CUPILOT_OPERATION(f32_sqrt, float, sqrtf(a));
CUPILOT_OPERATION(f32_rsqrt, float, rsqrtf(a));
CUPILOT_OPERATION(f32_exp, float, expf(-a));
CUPILOT_OPERATION(f32_exp_fast, float, __expf(-a));
CUPILOT_OPERATION(f32_log, float, logf(fabsf(a)));
CUPILOT_OPERATION(f32_log_fast, float, __logf(fabsf(a)));
CUPILOT_OPERATION(f32_sin, float, sinf(a));
CUPILOT_OPERATION(f32_sin_fast, float, __sinf(a));
CUPILOT_OPERATION(f32_tanh, float, tanhf(a));
CUPILOT_OPERATION(f32_pow, float, powf(fabsf(a), b));
CUPILOT_OPERATION(f64_add, double, a + b);
CUPILOT_OPERATION(f64_fma, double, fma(a, b, b));
CUPILOT_OPERATION(f64_div, double, a / b);
CUPILOT_OPERATION(f64_sqrt, double, sqrt(a));
CUPILOT_OPERATION(f64_exp, double, exp(-a));
CUPILOT_OPERATION(f16x2_fma, unsigned, bits_of(__hfma2(half_of(a), half_of(b), half_of(b))));
CUPILOT_OPERATION(bf16x2_fma, unsigned, bits_of(__hfma2(bf16_of(a), bf16_of(b), bf16_of(b))));
CUPILOT_OPERATION(s32_add, unsigned, (a + b) ^ b);  // two instructions: the compiler folds a chain of adds
CUPILOT_OPERATION(s32_logic, unsigned, __funnelshift_l(a &b, a, 7));
CUPILOT_OPERATION(s32_shift, unsigned, __funnelshift_l(a, b, a));
CUPILOT_OPERATION(s32_mad, unsigned, a *b + b);
CUPILOT_OPERATION(s32_mulhi, unsigned, __umulhi(a, b));
CUPILOT_OPERATION(s32_min, int, min(a ^ b, b));
CUPILOT_OPERATION(s32_select, unsigned, a > b ? a ^ b : a + 1);
CUPILOT_OPERATION(s32_div, int, b / (a | 1));
CUPILOT_OPERATION(u32_div, unsigned, b / (a | 1));
CUPILOT_OPERATION(u32_mod, unsigned, b % (a | 1));
CUPILOT_OPERATION(s64_add, unsigned long long, (a + b) ^ b);
CUPILOT_OPERATION(s64_mad, unsigned long long, a *b + b);
CUPILOT_OPERATION(u64_div, unsigned long long, b / (a | 1));
CUPILOT_OPERATION(popcount, unsigned, __popc(a) + b);
CUPILOT_OPERATION(leading_zeros, unsigned, __clz(a) + b);
CUPILOT_OPERATION(reverse, unsigned, __brev(a) + b);
CUPILOT_OPERATION(permute, unsigned, __byte_perm(a, b, 0x4102));
CUPILOT_OPERATION(dot4, unsigned, __dp4a(a, b, a));
CUPILOT_OPERATION(f32_to_s32, unsigned, static_cast<unsigned>(__float2int_rz(float_of(a))));
CUPILOT_OPERATION(s32_to_f32, unsigned, bits_of(__int2float_rn(static_cast<int>(a))));
CUPILOT_OPERATION(f16_round_trip, float, __half2float(__float2half_rn(a)) + b);
CUPILOT_OPERATION(f64_round_trip, float, static_cast<float>(static_cast<double>(a) + 1e-3));
CUPILOT_OPERATION(shuffle, unsigned, __shfl_xor_sync(0xffffffffu, a, 1));
CUPILOT_OPERATION(vote, unsigned, __ballot_sync(0xffffffffu, a > b));
CUPILOT_OPERATION(reduce_add, unsigned, __reduce_add_sync(0xffffffffu, a));
CUPILOT_OPERATION(match, unsigned, __match_any_sync(0xffffffffu, a));

/// Floating-point values start between 1 and 1.5, where no operation takes its slow path at once.
template <class T>
__device__ T start_value(unsigned seed) {
  return static_cast<T>(seed);
}
template <>
__device__ float start_value<float>(unsigned seed) {
  return 1.0f + static_cast<float>(seed % 4096) / 8192;
}
template <>
__device__ double start_value<double>(unsigned seed) {
  return 1.0 + static_cast<double>(seed % 4096) / 8192;
}

template <class Operation, int kOfChains>
__global__ void operation_kernel(const unsigned *seeds, unsigned *never, long long *cycles) {
  using T = typename Operation::T;
  T value[kOfChains];
  for (int k = 0; k < kOfChains; ++k) value[k] = start_value<T>(seeds[(threadIdx.x + k) % 64]);
  const T other = start_value<T>(seeds[64]);
  __syncthreads();
  const long long start = clock64();
#pragma unroll 4
  for (int i = 0; i < kSteps; ++i) {
#pragma unroll
    for (int k = 0; k < kOfChains; ++k) value[k] = Operation::step(value[k], other);
  }
  __syncthreads();
  const long long end = clock64();
  T sum = value[0];
  for (int k = 1; k < kOfChains; ++k) sum = sum + value[k];
  if (sum == static_cast<T>(123456789)) *never = 1;
  if (threadIdx.x == 0) *cycles = end - start;
}

template <class Operation>
void add(std::vector<Experiment> &all) {
  Experiment one;
  one.name = "throughput";
  one.name += std::string("_") + Operation::kName;
  one.unit = "cycles/step";
  one.timing = Timing::cycles;
  one.rate = false;
  one.work = 32.0 * kChains * kSteps;
  one.launch = [](const Bench &bench) {
    operation_kernel<Operation, kChains><<<1, 1024, 0, bench.stream>>>(
        reinterpret_cast<unsigned *>(bench.from), reinterpret_cast<unsigned *>(bench.to), bench.cycles);
    return cudaGetLastError();
  };
  all.push_back(one);
  one.name = std::string("latency_") + Operation::kName;
  one.work = kSteps;
  one.launch = [](const Bench &bench) {
    operation_kernel<Operation, 1><<<1, 32, 0, bench.stream>>>(
        reinterpret_cast<unsigned *>(bench.from), reinterpret_cast<unsigned *>(bench.to), bench.cycles);
    return cudaGetLastError();
  };
  all.push_back(std::move(one));
}

// Tensor cores: independent accumulators in 16 warps of one multiprocessor, 4 on each of its quarters.

enum Shape { kF16, kBf16, kTf32, kF64, kS8 };

template <int kShape>
__device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#define CUPILOT_MMA(text)                                                    \
  asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])              \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
  if constexpr (kShape == kF16) CUPILOT_MMA("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  if constexpr (kShape == kBf16) CUPILOT_MMA("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
  if constexpr (kShape == kTf32) CUPILOT_MMA("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32");
#undef CUPILOT_MMA
}
template <>
__device__ __forceinline__ void multiply<kS8>(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  int c[4] = {static_cast<int>(bits_of(d[0])), static_cast<int>(bits_of(d[1])),
              static_cast<int>(bits_of(d[2])), static_cast<int>(bits_of(d[3]))};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int k = 0; k < 4; ++k) d[k] = float_of(static_cast<unsigned>(c[k]));
}
template <>
__device__ __forceinline__ void multiply<kF64>(float (&d)[4], const unsigned (&a)[4],
                                               const unsigned (&b)[2]) {
  double c[2] = {__hiloint2double(static_cast<int>(bits_of(d[0])), static_cast<int>(bits_of(d[1]))),
                 __hiloint2double(static_cast<int>(bits_of(d[2])), static_cast<int>(bits_of(d[3])))};
  const double x = __hiloint2double(static_cast<int>(a[0]), static_cast<int>(a[1]));
  const double y = __hiloint2double(static_cast<int>(b[0]), static_cast<int>(b[1]));
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(c[0]), "+d"(c[1])
               : "d"(x), "d"(y));
  d[0] = float_of(static_cast<unsigned>(__double2hiint(c[0])));
  d[1] = float_of(static_cast<unsigned>(__double2loint(c[0])));
  d[2] = float_of(static_cast<unsigned>(__double2hiint(c[1])));
  d[3] = float_of(static_cast<unsigned>(__double2loint(c[1])));
}

template <int kShape>
__global__ void tensor_kernel(const unsigned *seeds, unsigned *never, long long *cycles) {
  constexpr int kTiles = 4;
  unsigned a[4], b[2];
  float d[kTiles][4] = {};
  for (int k = 0; k < 4; ++k) a[k] = seeds[threadIdx.x % 32 + k] & 0x3c003c00u;
  for (int k = 0; k < 2; ++k) b[k] = seeds[threadIdx.x % 32 + k] & 0x3c003c00u;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 4
  for (int i = 0; i < kSteps; ++i) {
#pragma unroll
    for (int k = 0; k < kTiles; ++k) multiply<kShape>(d[k], a, b);
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - start;
  float sum = 0;
  for (int k = 0; k < kTiles; ++k) sum += d[k][0] + d[k][1] + d[k][2] + d[k][3];
  if (sum == 123456789.0f) *never = 1;
}

template <int kShape>
void add_tensor(std::vector<Experiment> &all, const char *name, double operations) {
  Experiment one;
  one.name = name;
  one.at = {{"operations", operations}};
  one.unit = "cycles/mma";
  one.timing = Timing::cycles;
  one.rate = false;
  one.work = 16.0 * 4 * kSteps;
  one.launch = [](const Bench &bench) {
    tensor_kernel<kShape><<<1, 512, 0, bench.stream>>>(reinterpret_cast<unsigned *>(bench.from),
                                                       reinterpret_cast<unsigned *>(bench.to), bench.cycles);
    return cudaGetLastError();
  };
  all.push_back(std::move(one));
}

template <class... Operations>
void add_all(std::vector<Experiment> &all) {
  (add<Operations>(all), ...);
}

}  // namespace

std::vector<Experiment> compute_experiments(const Bench &) {
  std::vector<Experiment> all;
  add_all<f32_add, f32_mul, f32_fma, f32_max, f32_div, f32_div_fast, f32_rcp, f32_sqrt, f32_rsqrt, f32_exp,
          f32_exp_fast, f32_log, f32_log_fast, f32_sin, f32_sin_fast, f32_tanh, f32_pow>(all);
  add_all<f64_add, f64_fma, f64_div, f64_sqrt, f64_exp, f16x2_fma, bf16x2_fma>(all);
  add_all<s32_add, s32_logic, s32_shift, s32_mad, s32_mulhi, s32_min, s32_select, s32_div, u32_div, u32_mod,
          s64_add, s64_mad, u64_div, popcount, leading_zeros, reverse, permute, dot4>(all);
  add_all<f32_to_s32, s32_to_f32, f16_round_trip, f64_round_trip, shuffle, vote, reduce_add, match>(all);
  add_tensor<kF16>(all, "mma_f16", 2 * 16 * 8 * 16);
  add_tensor<kBf16>(all, "mma_bf16", 2 * 16 * 8 * 16);
  add_tensor<kTf32>(all, "mma_tf32", 2 * 16 * 8 * 8);
  add_tensor<kF64>(all, "mma_f64", 2 * 8 * 8 * 4);
  add_tensor<kS8>(all, "mma_s8", 2 * 16 * 8 * 32);
  return all;
}

}  // namespace cupilot::device::calibrate
