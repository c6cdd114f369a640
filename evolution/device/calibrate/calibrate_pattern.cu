// SPDX-License-Identifier: Apache-2.0
//
// Measures what access patterns cost beyond their bytes: strides below and above a sector, column accesses (a
// warp touches 32 rows), random places in memory or in the L2, and pointer chases for latencies.
#include "evolution/device/calibrate/calibrate_experiment.h"

namespace cupilot::device::calibrate {

namespace {

constexpr int kThreads = 256;
constexpr std::uint64_t kMost = 256u << 20;

__device__ unsigned scrambled(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

enum Pattern {
  kStrideRead,   // thread i reads word i * stride
  kStrideWrite,  // thread i writes word i * stride
  kColumnRead,   // thread (x, y) reads word x * rows + y: a warp touches 32 lines, its neighbours the same
                 // ones
  kColumnWrite,
  kRandomRead,  // one word at a random place
  kRandomWrite,
  kRandomLine,  // a warp reads 128 contiguous bytes at a random place
  kWrapRead,    // stride 32 words, wrapping around until every word was touched
  kWrapWrite
};

__device__ unsigned long long place(int pattern, unsigned i, unsigned stride, unsigned words) {
  switch (pattern) {
    case kStrideRead:
    case kStrideWrite:
      return static_cast<unsigned long long>(i) * stride;
    case kColumnRead:
    case kColumnWrite:
      return static_cast<unsigned long long>(i % stride) * (words / stride) + i / stride;
    case kRandomRead:
    case kRandomWrite:
      return scrambled(i) % words;
    case kRandomLine:
      return scrambled(i / 32) % (words / 32) * 32 + i % 32;
    default: {
      const unsigned long long at = static_cast<unsigned long long>(i) * stride;
      return at % words + at / words;
    }
  }
}

template <int kPattern, bool kWrites>
__global__ void pattern_kernel(unsigned *memory, unsigned *never, unsigned count, unsigned stride,
                               unsigned words) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  unsigned *at = memory + place(kPattern, i, stride, words);
  if (kWrites)
    *at = i;
  else if (*at == 0x12345679u)
    *never = 1;
}

/// `words` is the size of the stretch that is touched. The value counts accesses of single threads over the
/// whole device.
template <int kPattern, bool kWrites>
void add(std::vector<Experiment> &all, const char *name, unsigned stride, std::uint64_t words,
         std::uint64_t count, Timing timing = Timing::cold) {
  Experiment one;
  one.name = name;
  one.at = {{"stride", stride}, {"words", static_cast<double>(words)}};
  one.unit = "accesses/ns";
  one.timing = timing;
  one.work = static_cast<double>(count);
  one.scale = 1e-9;
  one.launch = [=](const Bench &bench) {
    pattern_kernel<kPattern, kWrites>
        <<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, bench.stream>>>(
            reinterpret_cast<unsigned *>(bench.from), reinterpret_cast<unsigned *>(bench.to),
            static_cast<unsigned>(count), stride, static_cast<unsigned>(words));
    return cudaGetLastError();
  };
  all.push_back(std::move(one));
}

// Pointer chases follow a random cycle through `count` nodes, which are `apart` bytes from each other.

__global__ void chain_kernel(unsigned long long *memory, unsigned long long count, unsigned long long apart) {
  // i -> i * a + c (mod 2^k) visits every node once when a % 4 == 1 and c is odd.
  const unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= count) return;
  const unsigned long long next = (i * 1664525ull + 1013904223ull) & (count - 1);
  memory[i * apart / 8] = reinterpret_cast<unsigned long long>(memory + next * apart / 8);
}

__device__ unsigned long long load_any(const unsigned long long *from) {
  unsigned long long value;
  asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(value) : "l"(from));
  return value;
}

__global__ void chase_kernel(const unsigned long long *memory, int warm_hops, int hops, long long *cycles) {
  const unsigned long long *at = memory;
  for (int i = 0; i < warm_hops; ++i) at = reinterpret_cast<const unsigned long long *>(load_any(at));
  const long long start = clock64();
  for (int i = 0; i < hops; ++i) at = reinterpret_cast<const unsigned long long *>(load_any(at));
  *cycles = clock64() - start + (at == nullptr);
}

__global__ void chase_shared_kernel(int hops, long long *cycles) {
  __shared__ unsigned next[1024];
  for (int i = 0; i < 1024; ++i) next[i] = (i * 33u + 1) % 1024;
  unsigned at = 0;
  const long long start = clock64();
  for (int i = 0; i < hops; ++i) at = next[at];
  *cycles = clock64() - start + (at == 5000);
}

void add_chase(std::vector<Experiment> &all, const char *name, unsigned long long count,
               unsigned long long apart, int warm_hops, int hops) {
  Experiment one;
  one.name = name;
  one.at = {{"bytes", static_cast<double>(count * apart)}, {"apart", static_cast<double>(apart)}};
  one.unit = "cycles";
  one.timing = Timing::cycles;
  one.work = hops;
  one.rate = false;
  one.prepare = [=](const Bench &bench) {
    chain_kernel<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, bench.stream>>>(
        reinterpret_cast<unsigned long long *>(bench.from), count, apart);
    return cudaGetLastError();
  };
  one.launch = [=](const Bench &bench) {
    chase_kernel<<<1, 1, 0, bench.stream>>>(reinterpret_cast<const unsigned long long *>(bench.from),
                                            warm_hops, hops, bench.cycles);
    return cudaGetLastError();
  };
  all.push_back(std::move(one));
}

__global__ void fill_kernel(unsigned *memory, unsigned words) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  if (i < words) memory[i] = scrambled(i + 1);
}

}  // namespace

cudaError_t fill_random(const Bench &bench) {
  const unsigned words = static_cast<unsigned>(bench.bytes / 4);
  fill_kernel<<<(words + kThreads - 1) / kThreads, kThreads, 0, bench.stream>>>(
      reinterpret_cast<unsigned *>(bench.from), words);
  return cudaGetLastError();
}

std::vector<Experiment> pattern_experiments(const Bench &bench) {
  std::vector<Experiment> all;
  const std::uint64_t bytes = bench.bytes < kMost ? bench.bytes : kMost, words = bytes / 4;
  for (const unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 1024u}) {
    add<kStrideRead, false>(all, "stride_read", stride, words, words / stride);
    add<kStrideWrite, true>(all, "stride_write", stride, words, words / stride);
  }
  for (const unsigned rows : {1024u, 8192u}) {
    add<kColumnRead, false>(all, "column_read", rows, words, words);
    add<kColumnWrite, true>(all, "column_write", rows, words, words);
  }
  add<kWrapRead, false>(all, "wrap_read", 32, words, words);
  add<kWrapWrite, true>(all, "wrap_write", 32, words, words);
  for (const std::uint64_t part : {words, words / 4, words / 16, words / 64, words / 1024}) {
    add<kRandomRead, false>(all, "random_read", 0, part, words / 4, Timing::warm);
    add<kRandomWrite, true>(all, "random_write", 0, part, words / 4, Timing::warm);
    add<kRandomLine, false>(all, "random_line", 0, part, words / 4, Timing::warm);
  }
  return all;
}

std::vector<Experiment> latency_experiments(const Bench &bench) {
  std::vector<Experiment> all;
  add_chase(all, "latency_l1", 64, 128, 256, 1024);
  add_chase(all, "latency_l2", 16384, 128, 20000, 4096);  // 2 MiB: far beyond the L1
  add_chase(all, "latency_l2_large", 131072, 128, 140000, 4096);
  // Cold: the L2 was flushed, the chain spans the memory, and no cache line is visited twice.
  unsigned long long count = 1024;
  while (count * 2 * 4096 <= bench.bytes && count * 2 * 4096 <= kMost) count *= 2;
  add_chase(all, "latency_dram", count, 4096, 0, 2048);
  add_chase(all, "latency_dram_near", 8192, 1024, 0, 2048);
  Experiment shared;
  shared.name = "latency_shared";
  shared.unit = "cycles";
  shared.timing = Timing::cycles;
  shared.work = 1024;
  shared.rate = false;
  shared.launch = [](const Bench &bench_) {
    chase_shared_kernel<<<1, 1, 0, bench_.stream>>>(1024, bench_.cycles);
    return cudaGetLastError();
  };
  all.push_back(std::move(shared));
  return all;
}

}  // namespace cupilot::device::calibrate
