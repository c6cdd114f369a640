// SPDX-License-Identifier: Apache-2.0
#include "timing_kernels.h"

namespace cupilot::trial {

namespace {

constexpr int kThreads = 256;

__global__ void copy_kernel(const float4 *in, float4 *out, std::uint64_t count) {
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) out[i] = in[i];
}

cudaError_t copy(const float *in, float *out, std::uint64_t elements, int units, cudaStream_t stream) {
  const std::uint64_t count = elements / 4 * static_cast<std::uint64_t>(units) / 101;
  copy_kernel<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
      reinterpret_cast<const float4 *>(in), reinterpret_cast<float4 *>(out), count);
  return cudaGetLastError();
}

/// Dependent multiply-adds in every thread; four chains keep the units busy.
__global__ void multiply_kernel(const float *in, float *out, int steps) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  float a = in[i], b = a + 1, c = a + 2, d = a + 3;
  for (int step = 0; step < steps; ++step) {
    a = fmaf(a, 0.999f, 0.5f);
    b = fmaf(b, 0.998f, 0.25f);
    c = fmaf(c, 0.997f, 0.125f);
    d = fmaf(d, 0.996f, 0.0625f);
  }
  out[i] = a + b + c + d;
}

template <int steps_per_unit>
cudaError_t multiply(const float *in, float *out, std::uint64_t elements, int units, cudaStream_t stream) {
  multiply_kernel<<<static_cast<unsigned>(elements / kThreads), kThreads, 0, stream>>>(
      in, out, steps_per_unit * units);
  return cudaGetLastError();
}

/// One warp, every load at an address that the load before decides.
__global__ void chase_kernel(const float *in, float *out, unsigned mask, int steps) {
  unsigned at = threadIdx.x;
  for (int step = 0; step < steps; ++step) at = (at * 2654435761u + __float_as_uint(in[at & mask])) >> 3;
  out[threadIdx.x] = static_cast<float>(at & 1023);
}

cudaError_t chase(const float *in, float *out, std::uint64_t elements, int units, cudaStream_t stream) {
  chase_kernel<<<1, 32, 0, stream>>>(in, out, static_cast<unsigned>(elements - 1), units);
  return cudaGetLastError();
}

}  // namespace

/// Times in the comments are of an H200, about.
const std::vector<Kernel> &kernels() {
  static const std::vector<Kernel> all{
      {"copy-50us", "memory", 101ull << 18, &copy},              // 106 MB each way
      {"copy-500us", "memory", 1010ull << 18, &copy},            // 1.06 GB each way
      {"multiply-100us", "compute", 132 * 2048, &multiply<30>},  // 3030 steps
      {"multiply-6us", "short", 132 * 256, &multiply<9>},  // one block a multiprocessor: one percent is 50 ns
      {"chase-100us", "latency", 1ull << 24, &chase},      // 101 loads from memory
  };
  return all;
}

}  // namespace cupilot::trial
