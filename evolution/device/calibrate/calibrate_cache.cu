// SPDX-License-Identifier: Apache-2.0
//
// Bandwidth of caches: L2 (repeated reads of a stretch that fits), L1 (by width and by cache lines that a
// request touches) and shared memory (by width and bank conflicts). L1 and shared memory are measured in
// cycles of one full multiprocessor.
#include "evolution/device/calibrate/calibrate_experiment.h"

namespace cupilot::device::calibrate {

namespace {

constexpr int kThreads = 1024, kRounds = 64;

template <class T>
__device__ unsigned folded(T value) {
  return static_cast<unsigned>(value.x) ^ static_cast<unsigned>(value.y);
}
template <>
__device__ unsigned folded<unsigned>(unsigned value) {
  return value;
}
template <>
__device__ unsigned folded<uint4>(uint4 value) {
  return value.x ^ value.y ^ value.z ^ value.w;
}

/// Reads `count` elements `rounds` times, bypassing the L1.
template <class T>
__global__ void l2_kernel(const T *from, unsigned *never, unsigned count, int rounds) {
  unsigned sum = 0;
  for (int round = 0; round < rounds; ++round)
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x * 4) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const unsigned at = i + k * gridDim.x * blockDim.x;
        if (at < count) sum ^= folded(__ldcg(from + at));
      }
    }
  if (sum == 0x12345679u) *never = 1;
}

template <class T>
__global__ void l2_write_kernel(T *to, unsigned count, int rounds) {
  for (int round = 0; round < rounds; ++round)
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
      to[i] = T{};
}

template <class T>
void add_l2(std::vector<Experiment> &all, std::uint64_t bytes, bool writes) {
  constexpr int kL2Rounds = 8;
  Experiment one;
  one.name = writes ? "l2_write" : "l2_read";
  one.at = {{"width", sizeof(T)}, {"bytes", static_cast<double>(bytes)}};
  one.unit = "GB/s";
  one.timing = Timing::warm;
  one.work = static_cast<double>(bytes) * kL2Rounds;
  one.scale = 1e-9;
  one.launch = [=](const Bench &bench) {
    const unsigned blocks =
        static_cast<unsigned>(bench.multiprocessors * bench.threads_per_multiprocessor / 512);
    const unsigned count = static_cast<unsigned>(bytes / sizeof(T));
    if (writes)
      l2_write_kernel<T><<<blocks, 512, 0, bench.stream>>>(reinterpret_cast<T *>(bench.to), count, kL2Rounds);
    else
      l2_kernel<T><<<blocks, 512, 0, bench.stream>>>(
          reinterpret_cast<const T *>(bench.from), reinterpret_cast<unsigned *>(bench.to), count, kL2Rounds);
    return cudaGetLastError();
  };
  all.push_back(std::move(one));
}

/// Lane l of each warp reads element l * stride (modulo `most`, a power of two), moving on by one each time.
/// All reads hit the L1.
template <class T>
__global__ void l1_kernel(const T *from, unsigned *never, unsigned stride, unsigned most, long long *cycles) {
  const unsigned lane = threadIdx.x % 32;
  unsigned sum = 0;
  long long start = 0;
  for (int warm = 0; warm < 2; ++warm) {
    __syncthreads();
    start = clock64();
#pragma unroll 8
    for (unsigned i = 0; i < kRounds; ++i) sum ^= folded(__ldca(from + ((lane * stride + i) & (most - 1))));
    __syncthreads();
  }
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = clock64() - start;
  if (sum == 0x12345679u) *never = 1;
}

template <class T>
__global__ void shared_kernel(unsigned *never, unsigned stride, long long *cycles) {
  __shared__ T words[32768 / sizeof(T)];
  for (unsigned i = threadIdx.x; i < 32768 / sizeof(T); i += kThreads) words[i] = T{};
  const unsigned lane = threadIdx.x % 32;
  unsigned sum = 0;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 8
  for (unsigned i = 0; i < kRounds; ++i) sum ^= folded(words[(lane * stride + i) % (32768 / sizeof(T))]);
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = clock64() - start;
  if (sum == 0x12345679u) *never = 1;
}

template <class T>
__global__ void shared_write_kernel(unsigned *never, unsigned stride, long long *cycles) {
  __shared__ T words[32768 / sizeof(T)];
  const unsigned lane = threadIdx.x % 32;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 8
  for (unsigned i = 0; i < kRounds; ++i) {
    volatile T *at = &words[(lane * stride + i * 32) % (32768 / sizeof(T))];
    *at = i;
  }
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = clock64() - start;
  if (words[lane] == 0x12345679u) *never = 1;
}

/// Value: cycles one multiprocessor spends on a request of a warp.
Experiment near_experiment(const char *name, double width, double stride) {
  Experiment one;
  one.name = name;
  one.at = {{"width", width}, {"stride", stride}};
  one.unit = "cycles/request";
  one.timing = Timing::cycles;
  one.work = kRounds * (kThreads / 32);
  one.rate = false;
  return one;
}

template <class T>
void add_l1(std::vector<Experiment> &all, unsigned stride) {
  Experiment one = near_experiment("l1_read", sizeof(T), stride);
  one.launch = [=](const Bench &bench) {
    // 32 kB fits into every L1; it is a power of two, so that the remainder is a mask.
    l1_kernel<T><<<1, kThreads, 0, bench.stream>>>(reinterpret_cast<const T *>(bench.from),
                                                   reinterpret_cast<unsigned *>(bench.to), stride,
                                                   32768u / sizeof(T), bench.cycles);
    return cudaGetLastError();
  };
  all.push_back(std::move(one));
}

template <class T>
void add_shared(std::vector<Experiment> &all, unsigned stride) {
  Experiment one = near_experiment("shared_read", sizeof(T), stride);
  one.launch = [=](const Bench &bench) {
    shared_kernel<T>
        <<<1, kThreads, 0, bench.stream>>>(reinterpret_cast<unsigned *>(bench.to), stride, bench.cycles);
    return cudaGetLastError();
  };
  all.push_back(std::move(one));
}

}  // namespace

std::vector<Experiment> cache_experiments(const Bench &bench) {
  std::vector<Experiment> all;
  for (const std::uint64_t bytes :
       {1u << 20, 4u << 20, 8u << 20, 16u << 20, 24u << 20, 32u << 20, 48u << 20}) {
    if (bytes > bench.bytes) continue;
    add_l2<unsigned>(all, bytes, false);
    add_l2<uint4>(all, bytes, false);
    add_l2<uint4>(all, bytes, true);
  }
  add_l2<unsigned>(all, 8u << 20, true);
  for (const unsigned stride : {0u, 1u, 2u, 4u, 8u, 16u, 32u, 33u}) {
    add_l1<unsigned>(all, stride);
    add_l1<uint4>(all, stride);
    add_shared<unsigned>(all, stride);
    add_shared<uint2>(all, stride);
    add_shared<uint4>(all, stride);
    Experiment write = near_experiment("shared_write", 4, stride);
    write.launch = [=](const Bench &b) {
      shared_write_kernel<unsigned>
          <<<1, kThreads, 0, b.stream>>>(reinterpret_cast<unsigned *>(b.to), stride, b.cycles);
      return cudaGetLastError();
    };
    all.push_back(std::move(write));
  }
  return all;
}

}  // namespace cupilot::device::calibrate
