// SPDX-License-Identifier: Apache-2.0
// Cooperative groups.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// run: group_of_block<<<2, 64>>>(i32[128] random, i32[128]) = reverse_blocks
extern "C" __global__ void group_of_block(const int *x, int *y) {
  __shared__ int s[64];
  cg::thread_block block = cg::this_thread_block();
  int base = block.group_index().x * block.size();
  s[block.thread_rank()] = x[base + block.thread_rank()];
  block.sync();
  y[base + block.thread_rank()] = s[block.size() - 1 - block.thread_rank()];
}

// run: group_tile_sum<<<2, 128>>>(f32[256] random, f32[8]) = block_sums
extern "C" __global__ void group_tile_sum(const float *x, float *sums) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
  if (tile.thread_rank() == 0) sums[blockIdx.x * tile.meta_group_size() + tile.meta_group_rank()] = v;
}

// run: group_small_tiles<<<1, 64>>>(f32[64] random, f32[8]) = block_sums
extern "C" __global__ void group_small_tiles(const float *x, float *sums) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  float v = x[threadIdx.x];
  for (int d = 4; d > 0; d /= 2) v += tile.shfl_xor(v, d);
  if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = v;
}

// run: group_reduce<<<2, 64>>>(i32[128] random, i32[4]) = block_sums
extern "C" __global__ void group_reduce(const int *x, int *sums) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int v = cg::reduce(tile, x[blockIdx.x * 64 + threadIdx.x], cg::plus<int>());
  if (tile.thread_rank() == 0) sums[blockIdx.x * 2 + tile.meta_group_rank()] = v;
}

// run: group_scan<<<1, 32>>>(i32[32] random, i32[32]) = block_scan
extern "C" __global__ void group_scan(const int *x, int *y) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  y[threadIdx.x] = cg::inclusive_scan(tile, x[threadIdx.x], cg::plus<int>());
}

// run: group_coalesced_add<<<2, 64>>>(i32[128] random, i32[1] zero) = count_large
extern "C" __global__ void group_coalesced_add(const int *x, int *count) {
  if (x[blockIdx.x * 64 + threadIdx.x] > 50) {
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(count, active.size());
  }
}

// run: group_votes<<<1, 32>>>(i32[32] random, i32[8]) = quad_votes
extern "C" __global__ void group_votes(const int *x, int *y) {
  auto quad = cg::tiled_partition<4>(cg::this_thread_block());
  bool large = x[threadIdx.x] > 50;
  unsigned votes = quad.ballot(large);
  bool any = quad.any(large), all = quad.all(large);
  if (quad.thread_rank() == 0) y[quad.meta_group_rank()] = votes | any << 8 | all << 9;
}

// run: group_broadcast<<<1, 64>>>(i32[64] random, i32[64]) = broadcast16
extern "C" __global__ void group_broadcast(const int *x, int *y) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  y[threadIdx.x] = tile.shfl(x[threadIdx.x], 5);
}

// run: group_dynamic_tiles<<<1, 64>>>(i32[64] random, i32[64]) = broadcast16
extern "C" __global__ void group_dynamic_tiles(const int *x, int *y) {
  __shared__ int s[64];
  cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), 16);
  int base = threadIdx.x / 16 * 16;
  s[threadIdx.x] = x[threadIdx.x];
  tile.sync();
  y[base + tile.thread_rank()] = s[base + 5];
}

// run: group_tile_over_shared<<<1, 128>>>(f32[128] random, f32[1]) = block_sums
extern "C" __global__ void group_tile_over_shared(const float *x, float *sum) {
  __shared__ float partial[4];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  float v = cg::reduce(tile, x[threadIdx.x], cg::plus<float>());
  if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = v;
  cg::sync(block);
  if (tile.meta_group_rank() == 0) {
    v = cg::reduce(tile, tile.thread_rank() < 4 ? partial[tile.thread_rank()] : 0.f, cg::plus<float>());
    if (tile.thread_rank() == 0) *sum = v;
  }
}
