// SPDX-License-Identifier: Apache-2.0
//
// DRAM bandwidth by bytes in flight: access width, resident warps and independent loads per thread. Shared
// memory limits the number of resident warps. "persistent" grids fill the device once and loop; the others
// have a thread for every `loads` elements, as most kernels do.
#include "evolution/device/calibrate/calibrate_experiment.h"

namespace cupilot::device::calibrate {

namespace {

template <class T>
__device__ unsigned folded(T value) {
  return static_cast<unsigned>(value);
}
template <>
__device__ unsigned folded<uint2>(uint2 value) {
  return value.x ^ value.y;
}
template <>
__device__ unsigned folded<uint4>(uint4 value) {
  return value.x ^ value.y ^ value.z ^ value.w;
}

enum Operation { kRead, kWrite, kCopy };

template <class T, int kLoads, int kOperation>
__global__ void stream_kernel(const T *__restrict__ from, T *__restrict__ to, long long count) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  unsigned sum = 0;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step * kLoads) {
    T value[kLoads] = {};
    if (kOperation != kWrite) {
#pragma unroll
      for (int k = 0; k < kLoads; ++k)
        if (i + k * step < count) value[k] = from[i + k * step];
    }
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
      if (kOperation == kRead) sum ^= folded(value[k]);
      if (kOperation != kRead && i + k * step < count) to[i + k * step] = value[k];
    }
  }
  if (kOperation == kRead && sum == 0x12345679u) to[0] = T{};  // never true; keeps the loads alive
}

struct Shape {
  int threads, warps;  ///< threads of a block; warps resident on a multiprocessor
  bool persistent;
};

/// Shared memory that a block must request so that no more than the wanted number of blocks fit.
int shared_for(const Bench &bench, const Shape &shape) {
  const int blocks = shape.warps * 32 / shape.threads;
  if (shape.warps * 32 >= bench.threads_per_multiprocessor) return 0;
  const int bytes = (bench.shared_per_multiprocessor / blocks - 1024) / 1024 * 1024;
  return bytes < bench.shared_per_block ? bytes : bench.shared_per_block;
}

template <class T, int kLoads, int kOperation>
cudaError_t launch_stream(const Bench &bench, const Shape &shape, std::uint64_t bytes) {
  const int shared = shared_for(bench, shape);
  const auto kernel = stream_kernel<T, kLoads, kOperation>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  const long long count = static_cast<long long>(bytes / sizeof(T));
  const long long threads = static_cast<long long>(shape.threads) * kLoads;
  const long long blocks =
      shape.persistent ? static_cast<long long>(bench.multiprocessors) * shape.warps * 32 / shape.threads
                       : (count + threads - 1) / threads;
  kernel<<<static_cast<unsigned>(blocks), shape.threads, shared, bench.stream>>>(
      reinterpret_cast<const T *>(bench.from), reinterpret_cast<T *>(bench.to), count);
  return cudaGetLastError();
}

template <class T, int kLoads, int kOperation>
void add(std::vector<Experiment> &all, const Shape &shape, std::uint64_t bytes) {
  static const char *const kNames[] = {"dram_read", "dram_write", "dram_copy"};
  Experiment one;
  one.name = kNames[kOperation];
  one.at = {{"width", sizeof(T)},
            {"loads", kLoads},
            {"warps", shape.warps},
            {"threads", shape.threads},
            {"persistent", shape.persistent}};
  one.unit = "GB/s";
  one.work = static_cast<double>(bytes) * (kOperation == kCopy ? 2 : 1);
  one.scale = 1e-9;
  one.launch = [=](const Bench &bench) { return launch_stream<T, kLoads, kOperation>(bench, shape, bytes); };
  all.push_back(std::move(one));
}

template <class T>
void add_width(std::vector<Experiment> &all, const Bench &bench) {
  // Narrow widths move less data in the same time.
  std::uint64_t bytes = sizeof(T) < 4 ? bench.bytes / 4 : bench.bytes;
  if (bytes > (256u << 20)) bytes = 256u << 20;
  const int most = bench.threads_per_multiprocessor / 32;
  for (const bool persistent : {true, false})
    for (const int warps : {8, 16, 32, most}) {
      if (warps > most) continue;
      const Shape shape{256, warps, persistent};
      add<T, 1, kRead>(all, shape, bytes);
      add<T, 2, kRead>(all, shape, bytes);
      add<T, 4, kRead>(all, shape, bytes);
      add<T, 8, kRead>(all, shape, bytes);
      add<T, 1, kWrite>(all, shape, bytes);
      add<T, 4, kWrite>(all, shape, bytes);
      add<T, 1, kCopy>(all, shape, bytes);
      add<T, 4, kCopy>(all, shape, bytes);
    }
  for (const int threads : {32, 64, 128, 512, 1024}) add<T, 1, kCopy>(all, {threads, most, false}, bytes);
}

}  // namespace

std::vector<Experiment> stream_experiments(const Bench &bench) {
  std::vector<Experiment> all;
  add_width<std::uint8_t>(all, bench);
  add_width<std::uint16_t>(all, bench);
  add_width<std::uint32_t>(all, bench);
  add_width<uint2>(all, bench);
  add_width<uint4>(all, bench);
  return all;
}

}  // namespace cupilot::device::calibrate
