// SPDX-License-Identifier: Apache-2.0
// Barriers and shuffles that not everybody reaches, loops without an end, and kernels that give up.

#include <cassert>

// ---- barriers

// run: early_return<<<4, 256>>>(f32[1000] random, f32[1000], i32 1000)
extern "C" __global__ void early_return(const float *x, float *y, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = x[i];
  __syncthreads();  // expect: divergent-barrier
  y[i] = s[threadIdx.x];
}

// run: barrier_in_branch<<<1, 64>>>(f32[64] random, f32[64])
extern "C" __global__ void barrier_in_branch(const float *x, float *y) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 40) {
    __syncthreads();  // expect: divergent-barrier
    y[threadIdx.x] = s[39 - threadIdx.x];
  }
}

// run: barrier_in_uneven_loop<<<1, 64>>>(i32[64] mod 7, i32[64])
extern "C" __global__ void barrier_in_uneven_loop(const int *x, int *y) {
  __shared__ int rounds;
  if (threadIdx.x == 0) rounds = 0;
  for (int k = 0; k < x[threadIdx.x]; ++k) {
    __syncthreads();  // expect: divergent-barrier
    if (threadIdx.x == 0) rounds = rounds + 1;
  }
  y[threadIdx.x] = threadIdx.x;
}

// run: barrier_in_both_branches<<<1, 32>>>(i32[32] random, i32[32])
extern "C" __global__ void barrier_in_both_branches(const int *x, int *y) {
  __shared__ int s[32];
  if (threadIdx.x % 2 == 0) {
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();  // also: divergent-barrier
    y[threadIdx.x] = s[threadIdx.x];
  } else {
    s[threadIdx.x] = -x[threadIdx.x];
    __syncthreads();  // expect: divergent-barrier
    y[threadIdx.x] = 2 * s[threadIdx.x];
  }
}

// run: break_before_barrier<<<1, 64>>>(i32[64] mod 5, i32[64])
extern "C" __global__ void break_before_barrier(const int *x, int *y) {
  __shared__ int s[64];
  int v = x[threadIdx.x];
  for (int k = 0; k < 8; ++k) {
    s[threadIdx.x] = v;
    if (v == k) break;
    __syncthreads();  // expect: divergent-barrier
    v = s[threadIdx.x] + 0;
  }
  y[threadIdx.x] = v;
}

// run: named_barrier_waits_for_more<<<1, 64>>>(i32[64])
extern "C" __global__ void named_barrier_waits_for_more(int *y) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");  // expect: divergent-barrier
  y[threadIdx.x] = 1;
}

// run: one_warp_skips<<<1, 96>>>(i32[96] random, i32[96])
extern "C" __global__ void one_warp_skips(const int *x, int *y) {
  __shared__ int s[96];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x >= 48) __syncthreads();  // expect: divergent-barrier
  y[threadIdx.x] = s[threadIdx.x];
}

// ---- shuffles and votes

// run: shuffle_in_branch<<<1, 32>>>(i32[32] random, i32[32])
extern "C" __global__ void shuffle_in_branch(const int *x, int *y) {
  int v = x[threadIdx.x];
  if (threadIdx.x < 16) v += __shfl_down_sync(0xffffffffu, v, 8);  // expect: bad-shuffle-mask
  y[threadIdx.x] = v;
}

// run: caller_not_in_mask<<<1, 32>>>(i32[32] random, i32[32])
extern "C" __global__ void caller_not_in_mask(const int *x, int *y) {
  y[threadIdx.x] = __shfl_sync(0x0000ffffu, x[threadIdx.x], 3);  // expect: bad-shuffle-mask
}

// run: shuffle_after_return<<<1, 32>>>(i32[20] random, i32[20], i32 20)
extern "C" __global__ void shuffle_after_return(const int *x, int *y, int n) {
  if (threadIdx.x >= n) return;
  int v = x[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);  // expect: bad-shuffle-mask
  y[threadIdx.x] = v;
}

// run: shuffle_in_uneven_loop<<<1, 32>>>(i32[32] mod 9, i32[32])
extern "C" __global__ void shuffle_in_uneven_loop(const int *x, int *y) {
  int v = threadIdx.x;
  for (int k = 0; k < x[threadIdx.x]; ++k) v = __shfl_sync(0xffffffffu, v + k, (threadIdx.x + 1) & 31);  // expect: bad-shuffle-mask
  y[threadIdx.x] = v;
}

// run: vote_in_branch<<<1, 32>>>(i32[32] mod 2, u32[32])
extern "C" __global__ void vote_in_branch(const int *x, unsigned *y) {
  unsigned votes = 0;
  if (x[threadIdx.x] != 0) votes = __ballot_sync(0xffffffffu, threadIdx.x > 7);  // expect: bad-shuffle-mask
  y[threadIdx.x] = votes;
}

// run: stale_mask<<<1, 32>>>(i32[32] mod 4, i32[32])
extern "C" __global__ void stale_mask(const int *x, int *y) {
  int v = x[threadIdx.x];
  unsigned members = __ballot_sync(0xffffffffu, v > 0);
  if (v > 1) v = __shfl_sync(members, v, __ffs(members) - 1);  // expect: bad-shuffle-mask
  y[threadIdx.x] = v;
}

// run: reduce_half_of_warp<<<1, 64>>>(u32[64] random, u32[64])
extern "C" __global__ void reduce_half_of_warp(const unsigned *x, unsigned *y) {
  unsigned sum = 0;
  if ((threadIdx.x & 31) < 8) sum = __reduce_add_sync(0xffffffffu, x[threadIdx.x]);  // expect: bad-shuffle-mask
  y[threadIdx.x] = sum;
}

// ---- endless loops

// run: flag_never_set<<<1, 32>>>(i32[1] zero, i32[32])
extern "C" __global__ void flag_never_set(volatile int *flag, int *y) {
  while (*flag == 0) continue;  // expect: endless-loop
  y[threadIdx.x] = 1;
}

// run: lock_not_released<<<2, 32>>>(i32[1] zero, i32[2] random, i32[1] zero)
extern "C" __global__ void lock_not_released(int *lock, const int *x, int *sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) continue;  // expect: endless-loop
  atomicAdd(sum, x[blockIdx.x]);
  if (x[blockIdx.x] < 0) atomicExch(lock, 0);
}

// run: search_without_progress<<<1, 1>>>(i32[64] iota, i32[1], i32 41)
extern "C" __global__ void search_without_progress(const int *sorted, int *found, int key) {
  int low = 0, high = 63;
  while (low < high) {  // one of: endless-loop
    int middle = (low + high) / 2;  // one of: endless-loop
    if (sorted[middle] < key) low = middle;  // one of: endless-loop
    else high = middle;  // one of: endless-loop
  }
  *found = low;
}

// run: byte_counter<<<1, 32>>>(i32[256] zero)
extern "C" __global__ void byte_counter(int *y) {
  for (unsigned char i = 0; i < 256; ++i)  // one of: endless-loop
    if (threadIdx.x == 0) atomicAdd(&y[i], 1);  // one of: endless-loop
}

// run: full_table<<<1, 8>>>(i32[4] value -1)
extern "C" __global__ void full_table(int *table) {
  int slot = threadIdx.x & 3;
  while (atomicCAS(&table[slot], -1, threadIdx.x) != -1) slot = (slot + 1) & 3;  // expect: endless-loop
}

// run: list_in_a_circle<<<1, 32>>>(i32[32] value 3, i32[32])
extern "C" __global__ void list_in_a_circle(const int *next, int *length) {
  int n = 0;
  for (int at = threadIdx.x; at >= 0; at = next[at]) ++n;  // expect: endless-loop
  length[threadIdx.x] = n;
}

// run: warps_wait_for_each_other<<<1, 64>>>(i32[64])
extern "C" __global__ void warps_wait_for_each_other(int *y) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  if (threadIdx.x == 32)
    while (turn != 2) continue;  // expect: endless-loop
  y[threadIdx.x] = 1;
}

// ---- assertions and traps

// run: assert_positive<<<1, 32>>>(i32[32] mod 3, i32[32])
extern "C" __global__ void assert_positive(const int *x, int *y) {
  assert(x[threadIdx.x] > 0);  // expect: assertion
  y[threadIdx.x] = x[threadIdx.x];
}

// run: assert_index<<<1, 32>>>(i32[32] random, i32 50, i32[50])
extern "C" __global__ void assert_index(const int *x, int n, int *y) {
  int at = x[threadIdx.x];
  assert(at < n && "index beyond the table");  // expect: assertion
  y[at % n] = 1;
}

// run: assert_in_helper<<<2, 32>>>(f32[64] random, f32[64])
static __device__ __noinline__ float root(float v) {
  assert(v >= 0);  // expect: assertion
  return sqrtf(v);
}
extern "C" __global__ void assert_in_helper(const float *x, float *y) {
  int i = blockIdx.x * 32 + threadIdx.x;
  y[i] = root(x[i]);
}

// run: assert_launch_shape<<<1, 48>>>(i32[48])
extern "C" __global__ void assert_launch_shape(int *y) {
  assert(blockDim.x % 32 == 0);  // expect: assertion
  y[threadIdx.x] = 0;
}

// run: trap_on_error<<<1, 32>>>(i32[32] mod 4, i32[32])
extern "C" __global__ void trap_on_error(const int *x, int *y) {
  if (x[threadIdx.x] == 3) __trap();  // expect: trap
  y[threadIdx.x] = x[threadIdx.x];
}

// run: trap_in_switch<<<1, 64>>>(i32[64] mod 5, i32[64])
extern "C" __global__ void trap_in_switch(const int *x, int *y) {
  int v = x[threadIdx.x];
  switch (v) {
    case 0: v = 10; break;
    case 1: v = 21; break;
    case 2: v = 32; break;
    case 3: v = 43; break;
    default: asm volatile("trap;");  // expect: trap
  }
  y[threadIdx.x] = v;
}

// run: takes_from_lanes_that_left<<<1, 32>>>(f32[20] random, f32[20], i32 20)
extern "C" __global__ void takes_from_lanes_that_left(const float *x, float *y, int n) {
  if (threadIdx.x >= n) return;
  y[threadIdx.x] = __shfl_sync(0xffffffffu, x[threadIdx.x], 31 - threadIdx.x);  // expect: bad-shuffle-mask
}
