// SPDX-License-Identifier: Apache-2.0
// Threads that touch the same memory with nothing to order them.

#include <cuda_pipeline.h>

// ---- shared memory

// run: tree_without_barrier<<<2, 256>>>(i32[512] random, i32[2])
extern "C" __global__ void tree_without_barrier(const int *x, int *sums) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2)
    if (t < d) s[t] += s[t + d];  // expect: shared-race
  if (t == 0) sums[blockIdx.x] = s[0];
}

// run: first_barrier_missing<<<1, 128>>>(f32[128] random, f32[128])
extern "C" __global__ void first_barrier_missing(const float *x, float *y) {
  __shared__ float s[128];
  s[threadIdx.x] = x[threadIdx.x];  // also: shared-race
  y[threadIdx.x] = s[127 - threadIdx.x];  // expect: shared-race // also: uninitialised-read
}

// run: transpose_without_barrier<<<1, 16x16>>>(f32[256] random, f32[256])
extern "C" __global__ void transpose_without_barrier(const float *x, float *y) {
  __shared__ float tile[16][17];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];  // expect: shared-race
  y[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];  // expect: shared-race // also: uninitialised-read
}

// run: blur_in_place<<<1, 256>>>(f32[256] random, f32[256], i32 4)
extern "C" __global__ void blur_in_place(const float *x, float *y, int steps) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    if (t > 0 && t < 255) s[t] = 0.5f * s[t] + 0.25f * (s[t - 1] + s[t + 1]);  // expect: shared-race
    __syncthreads();
  }
  y[t] = s[t];
}

// run: bins_without_atomics<<<1, 128>>>(i32[128] mod 16, i32[16])
extern "C" __global__ void bins_without_atomics(const int *x, int *bins) {
  __shared__ int mine[16];
  if (threadIdx.x < 16) mine[threadIdx.x] = 0;
  __syncthreads();
  mine[x[threadIdx.x]]++;  // expect: shared-race
  __syncthreads();
  if (threadIdx.x < 16) bins[threadIdx.x] = mine[threadIdx.x];
}

// run: warp_tail_without_syncwarp<<<1, 64>>>(i32[64] random, i32[1])
extern "C" __global__ void warp_tail_without_syncwarp(const int *x, int *sum) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];  // one of: shared-race
    s[t] += s[t + 8];  // one of: shared-race
    s[t] += s[t + 4];  // one of: shared-race
    s[t] += s[t + 2];  // one of: shared-race
    s[t] += s[t + 1];  // one of: shared-race
  }
  if (t == 0) *sum = s[0];
}

// run: broadcast_slot_reused<<<1, 64>>>(i32[8] random, i32[64])
extern "C" __global__ void broadcast_slot_reused(const int *x, int *y) {
  __shared__ int slot;
  int sum = 0;
  for (int k = 0; k < 8; ++k) {
    if (threadIdx.x == 0) slot = x[k];  // expect: shared-race
    __syncthreads();
    sum += slot;  // expect: shared-race
  }
  y[threadIdx.x] = sum;
}

// run: scan_in_place<<<1, 128>>>(i32[128] random, i32[128])
extern "C" __global__ void scan_in_place(const int *x, int *y) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    if (t >= d) s[t] += s[t - d];  // expect: shared-race
    __syncthreads();
  }
  y[t] = s[t];
}

// run: async_copy_not_awaited<<<1, 128>>>(f32[128] random, f32[128])
extern "C" __global__ void async_copy_not_awaited(const float *x, float *y) {
  __shared__ float s[128];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &x[t], 4);  // also: shared-race
  __pipeline_commit();
  __syncthreads();
  y[t] = s[127 - t];  // expect: shared-race
  __pipeline_wait_prior(0);
}

// run: tile_loop_second_barrier<<<1, 64>>>(f32[256] random, f32[64])
extern "C" __global__ void tile_loop_second_barrier(const float *x, float *y) {
  __shared__ float tile[64];
  float sum = 0;
  for (int base = 0; base < 256; base += 64) {
    tile[threadIdx.x] = x[base + threadIdx.x];  // expect: shared-race
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += tile[k] * (k + 1);  // expect: shared-race
  }
  y[threadIdx.x] = sum;
}

// run: warps_of_named_barrier<<<1, 128>>>(i32[128] random, i32[128])
extern "C" __global__ void warps_of_named_barrier(const int *x, int *y) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = x[t];  // also: shared-race
  if (t < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
  y[t] = s[t ^ 64];  // expect: shared-race // also: uninitialised-read
}

// ---- global memory

// run: global_bins<<<4, 64>>>(i32[256] mod 8, i32[8] zero)
extern "C" __global__ void global_bins(const int *x, int *bins) {
  int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  bins[v] = bins[v] + 1;  // expect: global-race
}

// run: stencil_in_place<<<4, 64>>>(f32[256] random)
extern "C" __global__ void stencil_in_place(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i == 255) return;
  float sum = x[i - 1] + x[i + 1];  // expect: global-race
  x[i] = 0.5f * sum;  // expect: global-race
}

__device__ unsigned arrived;
// run: last_block_without_fence<<<8, 64>>>(i32[512] random, i32[8], i32[1])
extern "C" __global__ void last_block_without_fence(const int *x, int *partial, int *total) {
  __shared__ bool last;
  int sum = __syncthreads_count(x[blockIdx.x * 64 + threadIdx.x] & 1);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;  // also: global-race
    last = atomicAdd(&arrived, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  int all = 0;
  for (int b = 0; b < 8; ++b) all += partial[b];  // expect: global-race
  *total = all;
}

// run: sum_without_atomic<<<8, 32>>>(f32[256] random, f32[1] zero)
extern "C" __global__ void sum_without_atomic(const float *x, float *sum) {
  float v = x[blockIdx.x * 32 + threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x == 0) *sum += v;  // expect: global-race
}

// run: flag_without_fence<<<2, 32>>>(i32[32], i32[1] zero, i32[32])
extern "C" __global__ void flag_without_fence(int *data, volatile int *flag, int *y) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 7 * threadIdx.x;  // also: global-race
    __syncwarp();
    if (threadIdx.x == 0) *flag = 1;
  } else {
    while (*flag == 0) continue;
    y[threadIdx.x] = data[31 - threadIdx.x];  // expect: global-race
  }
}

// run: every_block_clears<<<4, 64>>>(i32[256] random, i32[1])
extern "C" __global__ void every_block_clears(const int *x, int *sum) {
  if (threadIdx.x == 0) *sum = 0;  // expect: global-race
  __syncthreads();
  atomicAdd(sum, x[blockIdx.x * 64 + threadIdx.x]);  // also: global-race
}

// run: halo_written_twice<<<4, 64>>>(f32[264] random, f32[264])
extern "C" __global__ void halo_written_twice(const float *x, float *y) {
  int base = blockIdx.x * 64;
  for (int i = threadIdx.x; i < 66; i += 64) y[base + i] = x[base + i] * (blockIdx.x + 1.0f);  // expect: global-race
}

// run: global_scratch_in_block<<<2, 128>>>(i32[256] random, i32[256], i32[256])
extern "C" __global__ void global_scratch_in_block(const int *x, int *tmp, int *y) {
  int base = blockIdx.x * 128;
  tmp[base + threadIdx.x] = x[base + threadIdx.x];  // also: global-race
  y[base + threadIdx.x] = tmp[base + 127 - threadIdx.x];  // expect: global-race // also: uninitialised-read
}

// run: pairs_to_one<<<8, 32>>>(i32[256] random, i32[128])
extern "C" __global__ void pairs_to_one(const int *x, int *y) {
  int i = threadIdx.x * gridDim.x + blockIdx.x;
  y[i / 2] = x[i];  // expect: global-race
}

__device__ int lock_word;
// run: lock_without_fence<<<4, 32>>>(i32[4] random, i32[1] zero)
extern "C" __global__ void lock_without_fence(const int *x, int *sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock_word, 0, 1) != 0) continue;
    *sum = *sum + x[blockIdx.x];  // expect: global-race
    atomicExch(&lock_word, 0);
  }
}

// ---- lanes that would have to run in step

// run: warp_tail_behind_volatile<<<1, 64>>>(i32[64] random, i32[1])
extern "C" __global__ void warp_tail_behind_volatile(const int *x, int *sum) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) {
    volatile int *v = s;
    v[t] = v[t] + v[t + 32];
    v[t] = v[t] + v[t + 16];  // one of: warp-race
    v[t] = v[t] + v[t + 8];   // one of: warp-race
    v[t] = v[t] + v[t + 4];   // one of: warp-race
    v[t] = v[t] + v[t + 2];   // one of: warp-race
    v[t] = v[t] + v[t + 1];   // one of: warp-race
  }
  if (t == 0) *sum = s[0];
}

// run: reversed_behind_volatile<<<1, 32>>>(i32[32] random, i32[32])
extern "C" __global__ void reversed_behind_volatile(const int *x, int *y) {
  __shared__ volatile int s[32];
  s[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = s[31 - threadIdx.x];  // expect: warp-race // also: uninitialised-read
}

// run: rotated_behind_volatile<<<1, 32>>>(i32[32] random, i32[32], i32 5)
extern "C" __global__ void rotated_behind_volatile(const int *x, int *y, int steps) {
  __shared__ volatile int s[32];
  int v = x[threadIdx.x];
  for (int k = 0; k < steps; ++k) {
    s[threadIdx.x] = v;
    v = s[(threadIdx.x + 1) & 31] + k;  // expect: warp-race // also: uninitialised-read
  }
  y[threadIdx.x] = v;
}

// run: given_out_behind_volatile<<<1, 64>>>(i32[64] random, i32[64])
extern "C" __global__ void given_out_behind_volatile(const int *x, int *y) {
  __shared__ volatile int slot[2];
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 3) slot[warp] = x[threadIdx.x];
  y[threadIdx.x] = slot[warp] + x[threadIdx.x];  // expect: warp-race // also: uninitialised-read
}

// run: scan_behind_volatile<<<1, 32>>>(i32[32] random, i32[32])
extern "C" __global__ void scan_behind_volatile(const int *x, int *y) {
  __shared__ volatile int s[64];
  const int t = threadIdx.x + 32;
  s[threadIdx.x] = 0;
  s[t] = x[threadIdx.x];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) s[t] = s[t] + s[t - d];  // expect: warp-race
  y[threadIdx.x] = s[t];
}
