// SPDX-License-Identifier: Apache-2.0
// Threads that meet in memory and are right to: atomics, locks, fences, flags, asynchronous copies, named barriers.

#include <cuda_pipeline.h>

// run: bins_global<<<4, 64>>>(i32[256] mod 16, i32[16] zero) = histogram
extern "C" __global__ void bins_global(const int *x, int *bins) {
  atomicAdd(&bins[x[blockIdx.x * blockDim.x + threadIdx.x]], 1);
}

// run: bins_shared<<<4, 64>>>(i32[256] mod 16, i32[16] zero) = histogram
extern "C" __global__ void bins_shared(const int *x, int *bins) {
  __shared__ int mine[16];
  if (threadIdx.x < 16) mine[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&mine[x[blockIdx.x * blockDim.x + threadIdx.x]], 1);
  __syncthreads();
  if (threadIdx.x < 16 && mine[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// run: bins_per_warp<<<2, 128>>>(i32[256] mod 16, i32[16] zero) = histogram
extern "C" __global__ void bins_per_warp(const int *x, int *bins) {
  __shared__ int mine[4][17];
  int *own = mine[threadIdx.x / 32];
  if (threadIdx.x % 32 < 16) own[threadIdx.x % 32] = 0;
  __syncwarp();
  atomicAdd(&own[x[blockIdx.x * blockDim.x + threadIdx.x]], 1);
  __syncthreads();
  if (threadIdx.x < 16) {
    int sum = 0;
    for (int w = 0; w < 4; ++w) sum += mine[w][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
  }
}

// run: bins_by_match<<<4, 64>>>(i32[256] mod 16, i32[16] zero) = histogram
extern "C" __global__ void bins_by_match(const int *x, int *bins) {
  int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned same = __match_any_sync(0xffffffffu, v);
  if ((threadIdx.x & 31) == __ffs(same) - 1) atomicAdd(&bins[v], __popc(same));
}

// run: bins_packed<<<1, 64>>>(i32[64] mod 16, i32[16] zero) = histogram
extern "C" __global__ void bins_packed(const int *x, int *bins) {
  __shared__ unsigned packed[8];
  if (threadIdx.x < 8) packed[threadIdx.x] = 0;
  __syncthreads();
  int v = x[threadIdx.x];
  atomicAdd(&packed[v / 2], 1u << (v % 2 * 16));
  __syncthreads();
  if (threadIdx.x < 16) bins[threadIdx.x] = packed[threadIdx.x / 2] >> (threadIdx.x % 2 * 16) & 0xffff;
}

// run: sum_by_compare_and_swap<<<2, 64>>>(f32[128] random, f32[1] zero) = total
extern "C" __global__ void sum_by_compare_and_swap(const float *x, float *sum) {
  int *word = reinterpret_cast<int *>(sum);
  float v = x[blockIdx.x * 64 + threadIdx.x];
  int old = *reinterpret_cast<volatile int *>(word), seen;
  do {
    seen = old;
    old = atomicCAS(word, seen, __float_as_int(__int_as_float(seen) + v));
  } while (old != seen);
}

// run: minimum_of_floats<<<2, 64>>>(f32[128] random, f32[1] value 100) = minimum
extern "C" __global__ void minimum_of_floats(const float *x, float *least) {
  float v = x[blockIdx.x * 64 + threadIdx.x];
  if (v >= 0) atomicMin(reinterpret_cast<int *>(least), __float_as_int(v));
  else atomicMax(reinterpret_cast<unsigned *>(least), __float_as_uint(v));
}

// run: every_operation<<<1, 32>>>(i32[32] random, i32[8]) = every_operation
extern "C" __global__ void every_operation(const int *x, int *y) {
  if (threadIdx.x < 8) y[threadIdx.x] = threadIdx.x == 5 ? -1 : 0;
  __syncwarp();
  int v = x[threadIdx.x];
  atomicAdd(&y[0], v);
  atomicSub(&y[1], v);
  atomicMax(&y[2], v);
  atomicMin(&y[3], -v);
  atomicOr(&y[4], 1 << (v & 31));
  atomicAnd(&y[5], ~(1 << (v & 31)));
  atomicXor(&y[6], v);
  atomicInc(reinterpret_cast<unsigned *>(&y[7]), 9);
}

// run: sum_of_doubles<<<2, 32>>>(f64[64] random, f64[1] zero) = total
extern "C" __global__ void sum_of_doubles(const double *x, double *sum) {
  atomicAdd(sum, x[blockIdx.x * 32 + threadIdx.x]);
}

// run: wide_counter<<<2, 64>>>(i32[128] random, u64[1] zero) = total
extern "C" __global__ void wide_counter(const int *x, unsigned long long *sum) {
  atomicAdd(sum, (unsigned long long)x[blockIdx.x * 64 + threadIdx.x]);
}

__device__ int mutex = 0;
// run: lock_per_block<<<6, 32>>>(i32[192] random, i32[1] zero) = total
extern "C" __global__ void lock_per_block(const int *x, volatile int *sum) {
  int v = __reduce_add_sync(0xffffffffu, x[blockIdx.x * 32 + threadIdx.x]);
  if (threadIdx.x != 0) return;
  while (atomicCAS(&mutex, 0, 1) != 0) continue;
  __threadfence();
  *sum = *sum + v;
  __threadfence();
  atomicExch(&mutex, 0);
}

__device__ int lane_mutex = 0;
// run: lock_per_lane<<<2, 32>>>(i32[64] random, i32[1] zero) = total
extern "C" __global__ void lock_per_lane(const int *x, int *sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lane_mutex, 0, 1) == 0) {
      __threadfence();
      *reinterpret_cast<volatile int *>(sum) = *reinterpret_cast<volatile int *>(sum) + x[blockIdx.x * 32 + threadIdx.x];
      __threadfence();
      atomicExch(&lane_mutex, 0);
      done = true;
    }
  }
}

__device__ unsigned tickets = 0, serving = 0;
// run: lock_by_tickets<<<4, 32>>>(i32[4] random, i32[1] zero) = total
extern "C" __global__ void lock_by_tickets(const int *x, volatile int *sum) {
  if (threadIdx.x != 0) return;
  unsigned mine = atomicAdd(&tickets, 1);
  while (atomicAdd(&serving, 0) != mine) continue;
  __threadfence();
  *sum = *sum + x[blockIdx.x];
  __threadfence();
  atomicAdd(&serving, 1);
}

// run: flag_with_fence<<<2, 32>>>(i32[32], i32[1] zero, i32[32], i32[32] random) = pass_on resident 2
extern "C" __global__ void flag_with_fence(int *data, volatile int *flag, int *y, const int *x) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 7 * x[threadIdx.x];
    __threadfence();
    __syncwarp();
    if (threadIdx.x == 0) *flag = 1;
  } else {
    if (threadIdx.x == 0)
      while (*flag == 0) continue;
    __syncwarp();
    __threadfence();
    y[threadIdx.x] = data[31 - threadIdx.x];
  }
}

// run: flag_in_shared<<<1, 64>>>(i32[32] random, i32[32]) = seven_times
extern "C" __global__ void flag_in_shared(const int *x, int *y) {
  __shared__ int data[32];
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  int t = threadIdx.x & 31;
  if (threadIdx.x < 32) {
    data[t] = 7 * x[t];
    __threadfence_block();
    __syncwarp();
    if (t == 0) ready = 1;
  } else {
    while (ready == 0) continue;
    __threadfence_block();
    y[t] = data[t];
  }
}

// run: grid_barrier<<<4, 32>>>(i32[128] random, i32[128], i32[128], u32[1] zero) = reversed_seven resident 4
extern "C" __global__ void grid_barrier(const int *x, int *tmp, int *y, unsigned *count) {
  int i = blockIdx.x * 32 + threadIdx.x;
  tmp[i] = 7 * x[i];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x) continue;
    __threadfence();
  }
  __syncthreads();
  y[i] = tmp[127 - i];
}

// run: copy_async_words<<<2, 64>>>(f32[128] random, f32[128]) = copy
extern "C" __global__ void copy_async_words(const float *x, float *y) {
  __shared__ float s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &x[blockIdx.x * 64 + threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  y[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}

// run: copy_async_two_stages<<<1, 32>>>(f32[1024] random, f32[1024]) = copy
extern "C" __global__ void copy_async_two_stages(const float *x, float *y) {
  __shared__ __align__(16) float s[2][128];
  int t = threadIdx.x * 4;
  __pipeline_memcpy_async(&s[0][t], &x[t], 16);
  __pipeline_commit();
  for (int k = 0; k < 8; ++k) {
    if (k + 1 < 8) __pipeline_memcpy_async(&s[(k + 1) & 1][t], &x[(k + 1) * 128 + t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncwarp();
    for (int j = threadIdx.x; j < 128; j += 32) y[k * 128 + j] = s[k & 1][j];
    __syncwarp();
  }
}

// run: copy_async_assembly<<<1, 64>>>(f32[256] random, f32[256]) = copy
extern "C" __global__ void copy_async_assembly(const float *x, float *y) {
  __shared__ __align__(16) float s[256];
  unsigned to = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x * 4]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(x + threadIdx.x * 4) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  for (int k = 0; k < 4; ++k) y[k * 64 + threadIdx.x] = s[k * 64 + threadIdx.x];
}

// run: copy_async_zero_fill<<<1, 64>>>(f32[50] random, f32[64], i32 50) = copy_and_zero
extern "C" __global__ void copy_async_zero_fill(const float *x, float *y, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &x[t < n ? t : 0], 4, t < n ? 0 : 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[t] = s[t];
}

// run: producer_and_consumer<<<1, 128>>>(f32[512] random, f32[512]) = copy
extern "C" __global__ void producer_and_consumer(const float *x, float *y) {
  __shared__ float s[2][64];
  int t = threadIdx.x & 63;
  if (threadIdx.x < 64) {  // produces
    for (int k = 0; k < 8; ++k) {
      if (k >= 2) asm volatile("bar.sync %0, 128;" ::"r"(3 + (k & 1)) : "memory");
      s[k & 1][t] = x[k * 64 + t];
      asm volatile("bar.arrive %0, 128;" ::"r"(1 + (k & 1)) : "memory");
    }
  } else {
    for (int k = 0; k < 8; ++k) {
      asm volatile("bar.sync %0, 128;" ::"r"(1 + (k & 1)) : "memory");
      y[k * 64 + t] = s[k & 1][63 - (63 - t)];
      if (k < 6) asm volatile("bar.arrive %0, 128;" ::"r"(3 + (k & 1)) : "memory");
    }
  }
}

// run: halves_with_named_barriers<<<1, 128>>>(i32[128] random, i32[128]) = reverse_halves
extern "C" __global__ void halves_with_named_barriers(const int *x, int *y) {
  __shared__ int s[128];
  int t = threadIdx.x, half = t / 64;
  s[t] = x[t];
  asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
  y[t] = s[half * 64 + 63 - (t & 63)];
}

// run: hand_over_in_warp<<<1, 32>>>(i32[32] random, i32[32]) = reverse
extern "C" __global__ void hand_over_in_warp(const int *x, int *y) {
  __shared__ int s[32];
  s[threadIdx.x] = x[threadIdx.x];
  __syncwarp();
  y[threadIdx.x] = s[31 - threadIdx.x];
}

// run: slots_of_a_list<<<4, 32>>>(i32[128] random, i32[128] ignore, u32[1] zero) = count_slots
extern "C" __global__ void slots_of_a_list(const int *x, int *list, unsigned *size) {
  int v = x[blockIdx.x * 32 + threadIdx.x];
  if (v > 50) list[atomicAdd(size, 1)] = v;
}

// run: hash_table<<<2, 32>>>(i32[64] order, i32[128] value -1) = hash_table_size
extern "C" __global__ void hash_table(const int *keys, int *table) {
  int key = keys[blockIdx.x * 32 + threadIdx.x];
  unsigned slot = key * 2654435761u >> 25;
  while (atomicCAS(&table[slot], -1, key) != -1) slot = (slot + 1) & 127;
}
