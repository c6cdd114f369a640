// SPDX-License-Identifier: Apache-2.0
//
// Runs the kernels of a case on the host, so that a variant's results can be compared with the original's
// where there is no GPU. A thread is a fiber; a barrier is one round over all fibers of the block. Enough for
// the tests only.

#pragma once

#include <cuda_runtime.h>
#include <ucontext.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#undef __global__
#undef __device__
#undef __shared__
#undef __launch_bounds__
#undef __forceinline__
#define __global__
#define __device__
#define __shared__ static
#define __launch_bounds__(...)
#define __forceinline__ inline

namespace emulated {

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack{new char[kStack]};
  uint3 index;
  unsigned number = 0, shuffles = 0;
  bool done = false;
  static constexpr std::size_t kStack = 64 * 1024;
};

inline std::vector<Fiber> fibers(1024);
inline Fiber *current = nullptr;
inline ucontext_t scheduler;
inline std::function<void()> work;
inline dim3 grid, block;
inline uint3 block_index;
inline unsigned char slots[2][1024][8];
inline bool launched = false;

inline void yield() {
  swapcontext(&current->context, &scheduler);
}
inline void entry() {
  work();
  current->done = true;
  yield();
}

inline void run_block() {
  const unsigned count = block.x * block.y * block.z;
  for (unsigned i = 0; i < count; ++i) {
    Fiber &fiber = fibers[i];
    fiber.index = {i % block.x, i / block.x % block.y, i / block.x / block.y};
    fiber.number = i;
    fiber.shuffles = 0;
    fiber.done = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = Fiber::kStack;
    makecontext(&fiber.context, entry, 0);
  }
  for (bool alive = true; alive;) {
    alive = false;
    for (unsigned i = 0; i < count; ++i) {
      if (fibers[i].done) continue;
      current = &fibers[i];
      swapcontext(&scheduler, &current->context);
      alive = alive || !fibers[i].done;
    }
  }
}

inline void launch(dim3 grid_dim, dim3 block_dim, std::function<void()> kernel) {
  grid = grid_dim;
  block = block_dim;
  work = std::move(kernel);
  launched = true;
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) {
        block_index = {x, y, z};
        run_block();
      }
}

template <class T>
T shuffle_xor(T value, int step) {
  auto &slot = slots[current->shuffles++ % 2];
  std::memcpy(slot[current->number], &value, sizeof(T));
  yield();
  std::memcpy(&value, slot[current->number ^ step], sizeof(T));
  return value;
}

/// Numbers that are exact in every type, a little different each time.
template <class T>
std::vector<T> numbers(std::size_t count, int seed) {
  std::vector<T> out(count);
  for (std::size_t i = 0; i < count; ++i)
    out[i] = static_cast<T>(static_cast<float>((i * 37 + seed * 11) % 64) / 8.f - 3.f);
  return out;
}

template <class T>
void compare(const std::vector<T> &want, const std::vector<T> &got, double tolerance = 0) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double a = static_cast<double>(static_cast<float>(want[i])),
                 b = static_cast<double>(static_cast<float>(got[i]));
    if (std::fabs(a - b) <= tolerance * (1 + std::fabs(a))) continue;
    std::fprintf(stderr, "element %zu is %g, the original says %g\n", i, b, a);
    std::exit(1);
  }
}

inline void expect(bool truth, const char *what) {
  if (truth) return;
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

}  // namespace emulated

#define threadIdx (emulated::current->index)
#define blockIdx emulated::block_index
#define blockDim emulated::block
#define gridDim emulated::grid
#define __ldg(pointer) (*(pointer))
#define __syncthreads() emulated::yield()
#define __shfl_xor_sync(mask, value, step) emulated::shuffle_xor(value, step)
inline float rsqrtf(float v) {
  return 1.f / std::sqrt(v);
}

// What launch.cuh needs of the runtime; no case takes scratch memory.
extern "C" inline cudaError_t cudaFreeAsync(void *, cudaStream_t) {
  return cudaSuccess;
}
extern "C" inline cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t) {
  return cudaErrorMemoryAllocation;
}
extern "C" inline cudaError_t cudaGetLastError(void) {
  return cudaSuccess;
}
