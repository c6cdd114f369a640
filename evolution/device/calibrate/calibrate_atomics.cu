// SPDX-License-Identifier: Apache-2.0
//
// Measures atomics by contention (global and shared memory), the costs of blocks and kernel launches, and
// barriers.
#include "evolution/device/calibrate/calibrate_experiment.h"

namespace cupilot::device::calibrate {

namespace {

constexpr int kThreads = 256, kRounds = 32;

__device__ unsigned scrambled(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

enum Kind { kInteger, kFloat, kReturning, kExchange, kDouble };

template <int kKind>
__device__ unsigned one_atomic(unsigned *at, unsigned value) {
  if constexpr (kKind == kInteger) atomicAdd(at, value);
  if constexpr (kKind == kFloat) atomicAdd(reinterpret_cast<float *>(at), 1.0f);
  if constexpr (kKind == kReturning) return atomicMax(at, value);
  if constexpr (kKind == kExchange) return atomicCAS(at, value, value + 1);
  if constexpr (kKind == kDouble) atomicAdd(reinterpret_cast<double *>(at), 1.0);
  return 0;
}

/// Every lane hits one of `places` words at random; the words are `apart` words from each other.
template <int kKind>
__global__ void global_kernel(unsigned *memory, unsigned *never, unsigned places, unsigned apart) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  // The compiler cannot know that lanes hit the same place, so it aggregates nothing before the memory
  // system.
  if (one_atomic<kKind>(memory + static_cast<unsigned long long>(scrambled(i) % places) * apart, i) ==
      0x7fffffffu)
    *never = 1;
}

template <int kKind>
__global__ void aggregated_kernel(unsigned *memory) {
  one_atomic<kKind>(memory, 1);
}

template <int kKind>
__global__ void shared_kernel(unsigned *never, unsigned places, long long *cycles) {
  __shared__ unsigned words[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = 0;
  const unsigned lane = scrambled(threadIdx.x);
  unsigned sum = 0;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 4
  for (unsigned i = 0; i < kRounds; ++i)
    sum ^= one_atomic<kKind>(words + ((lane + i * 97) % places & ~1u), i);
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - start;
  if (words[threadIdx.x] == 0x7fffffffu && sum == 5) *never = 1;
}

template <int kKind>
void add_global(std::vector<Experiment> &all, const char *name, unsigned places, unsigned apart,
                unsigned count) {
  Experiment one;
  one.name = name;
  one.at = {{"places", places}, {"apart", apart * 4.0}};
  one.unit = "atomics/ns";
  one.timing = Timing::warm;
  one.work = count;
  one.scale = 1e-9;
  one.launch = [=](const Bench &bench) {
    global_kernel<kKind><<<count / kThreads, kThreads, 0, bench.stream>>>(
        reinterpret_cast<unsigned *>(bench.to), reinterpret_cast<unsigned *>(bench.from), places, apart);
    return cudaGetLastError();
  };
  all.push_back(std::move(one));
}

template <int kKind>
void add_shared(std::vector<Experiment> &all, const char *name) {
  for (const unsigned places : {1u, 2u, 32u, 64u, 256u, 4096u}) {
    Experiment one;
    one.name = name;
    one.at = {{"places", places}};
    one.unit = "cycles/request";
    one.timing = Timing::cycles;
    one.rate = false;
    one.work = 32.0 * kRounds;
    one.launch = [=](const Bench &bench) {
      shared_kernel<kKind>
          <<<1, 1024, 0, bench.stream>>>(reinterpret_cast<unsigned *>(bench.to), places, bench.cycles);
      return cudaGetLastError();
    };
    all.push_back(std::move(one));
  }
}

template <int kKind>
void add_aggregated(std::vector<Experiment> &all, const char *name) {
  Experiment one;
  one.name = name;
  one.unit = "atomics/ns";
  one.timing = Timing::warm;
  one.work = 1 << 20;
  one.scale = 1e-9;
  one.launch = [](const Bench &bench) {
    aggregated_kernel<kKind>
        <<<(1 << 20) / kThreads, kThreads, 0, bench.stream>>>(reinterpret_cast<unsigned *>(bench.to));
    return cudaGetLastError();
  };
  all.push_back(std::move(one));
}

__global__ void empty_kernel() {}

__global__ void barrier_kernel(int rounds, long long *cycles) {
  __syncthreads();
  const long long start = clock64();
  for (int i = 0; i < rounds; ++i) __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - start;
}

__global__ void warp_barrier_kernel(int rounds, long long *cycles) {
  const long long start = clock64();
  for (int i = 0; i < rounds; ++i) __syncwarp();
  if (threadIdx.x == 0) *cycles = clock64() - start;
}

/// Each block loads once from memory and so waits a little. Shows how well blocks overlap.
__global__ void load_once_kernel(const unsigned *from, unsigned *never, unsigned words) {
  if (from[(blockIdx.x * blockDim.x + threadIdx.x) % words] == 0x12345679u) *never = 1;
}

__global__ void clock_kernel(long long *cycles) {
  const long long start = clock64();
  while (clock64() - start < 20'000'000) {
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) *cycles = clock64() - start;
}

void add_blocks(std::vector<Experiment> &all, unsigned threads, unsigned shared, bool loads) {
  Experiment one;
  const unsigned blocks = 1u << 18;
  one.name = loads ? "blocks_loading" : "blocks_empty";
  one.at = {{"threads", threads}, {"shared", shared}};
  one.unit = "blocks/ns";
  one.timing = Timing::cold;
  one.work = blocks;
  one.scale = 1e-9;
  one.launch = [=](const Bench &bench) {
    if (loads)
      load_once_kernel<<<blocks, threads, shared, bench.stream>>>(reinterpret_cast<unsigned *>(bench.from),
                                                                  reinterpret_cast<unsigned *>(bench.to),
                                                                  static_cast<unsigned>(bench.bytes / 4));
    else
      empty_kernel<<<blocks, threads, shared, bench.stream>>>();
    return cudaGetLastError();
  };
  all.push_back(std::move(one));
}

void add_cycles(std::vector<Experiment> &all, const char *name, unsigned threads,
                void (*kernel)(int, long long *)) {
  Experiment one;
  one.name = name;
  one.at = {{"threads", threads}};
  one.unit = "cycles";
  one.timing = Timing::cycles;
  one.rate = false;
  one.work = 256;
  one.launch = [=](const Bench &bench) {
    kernel<<<1, threads, 0, bench.stream>>>(256, bench.cycles);
    return cudaGetLastError();
  };
  all.push_back(std::move(one));
}

}  // namespace

std::vector<Experiment> atomic_experiments(const Bench &) {
  std::vector<Experiment> all;
  for (const unsigned places : {1u, 2u, 8u, 32u, 256u, 4096u, 65536u, 1u << 20, 1u << 24}) {
    const unsigned count = places < 32 ? 1u << 20 : 1u << 22;
    add_global<kInteger>(all, "atomic_add_s32", places, 1, count);
    add_global<kFloat>(all, "atomic_add_f32", places, 1, count);
    add_global<kReturning>(all, "atomic_max_returning", places, 1, count);
  }
  for (const unsigned places : {8u, 32u, 256u, 4096u}) {  // a sector or a cache line for each place
    add_global<kInteger>(all, "atomic_add_s32", places, 8, 1u << 20);
    add_global<kInteger>(all, "atomic_add_s32", places, 32, 1u << 20);
    add_global<kFloat>(all, "atomic_add_f32", places, 32, 1u << 20);
  }
  add_global<kExchange>(all, "atomic_cas", 1, 1, 1u << 18);
  add_global<kExchange>(all, "atomic_cas", 1u << 20, 1, 1u << 20);
  add_global<kDouble>(all, "atomic_add_f64", 1, 2, 1u << 18);
  add_global<kDouble>(all, "atomic_add_f64", 1u << 20, 2, 1u << 20);
  add_aggregated<kInteger>(all, "atomic_add_s32_one_address");
  add_aggregated<kFloat>(all, "atomic_add_f32_one_address");
  add_shared<kInteger>(all, "shared_add_s32");
  add_shared<kFloat>(all, "shared_add_f32");
  add_shared<kReturning>(all, "shared_max_returning");
  add_shared<kExchange>(all, "shared_cas");
  return all;
}

std::vector<Experiment> launch_experiments(const Bench &) {
  std::vector<Experiment> all;
  Experiment empty;
  empty.name = "launch_empty";
  empty.unit = "us";
  empty.timing = Timing::cold;
  empty.rate = false;
  empty.scale = 1e6;
  empty.launch = [](const Bench &bench) {
    empty_kernel<<<1, 32, 0, bench.stream>>>();
    return cudaGetLastError();
  };
  all.push_back(empty);
  empty.name = "launch_empty_ten";
  empty.launch = [](const Bench &bench) {
    for (int i = 0; i < 10; ++i) empty_kernel<<<1, 32, 0, bench.stream>>>();
    return cudaGetLastError();
  };
  all.push_back(std::move(empty));
  for (const unsigned threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
    add_blocks(all, threads, 0, false);
    add_blocks(all, threads, 0, true);
    add_cycles(all, "barrier", threads, barrier_kernel);
  }
  add_blocks(all, 256, 16384, false);
  add_blocks(all, 256, 16384, true);
  add_cycles(all, "warp_barrier", 32, warp_barrier_kernel);
  Experiment clock;
  clock.name = "clock";
  clock.unit = "GHz";
  clock.timing = Timing::warm;
  clock.work = 20'000'000;
  clock.scale = 1e-9;
  clock.launch = [](const Bench &bench) {
    clock_kernel<<<static_cast<unsigned>(bench.multiprocessors), 128, 0, bench.stream>>>(bench.cycles);
    return cudaGetLastError();
  };
  all.push_back(std::move(clock));
  return all;
}

}  // namespace cupilot::device::calibrate
