// SPDX-License-Identifier: Apache-2.0
// Sums by CUB and by cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cub/cub.cuh>

namespace cg = cooperative_groups;

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 1000) in(x[rows * cols]) out(y[rows]) launch(rows, 256)
__global__ void sum_by_cub(const float *x, float *y, int cols) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 256) sum += x[blockIdx.x * cols + c];
  sum = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

// Only the first thread has the sum.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 1000) in(x[rows * cols]) out(y[rows]) launch(rows, 256)
__global__ void sum_that_another_thread_takes(const float *x, float *y, int cols) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 256) sum += x[blockIdx.x * cols + c];
  sum = Reduce(storage).Sum(sum);
  if (threadIdx.x == 1) y[blockIdx.x] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 1000) in(x[rows * cols]) out(y[rows]) launch(8, 256)
__global__ void norms_by_groups(const float *x, float *y, int rows, int cols) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  float sum = 0;
  for (int c = warp.thread_rank(); c < cols; c += warp.size()) sum += x[row * cols + c] * x[row * cols + c];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) y[row] = sqrtf(sum);
}

// Groups of sixteen: half of a warp has another row.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 1000) in(x[rows * cols]) out(y[rows]) launch(4, 256)
__global__ void half_warps(const float *x, float *y, int rows, int cols) {
  auto half = cg::tiled_partition<16>(cg::this_thread_block());
  const int row = blockIdx.x * half.meta_group_size() + half.meta_group_rank();
  if (row >= rows) return;
  float sum = 0;
  for (int c = half.thread_rank(); c < cols; c += half.size()) sum += x[row * cols + c];
  sum = cg::reduce(half, sum, cg::plus<float>());
  if (half.thread_rank() == 0) y[row] = sum;
}
//= sum_by_cub:
//=   for block in 0 .. grid.x  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       sum += x[block * cols + c]
//=     y[block] = sum
//=   needs block.x == 256: as many threads cooperate
//=   needs x and y apart
//= sum_that_another_thread_takes:
//=   line 30: what is written here is no sum or maximum over the block
//= norms_by_groups:
//=   for row in 0 .. rows  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       sum += x[row * cols + c] * x[row * cols + c]
//=     y[row] = sqrtf(sum)
//=   needs block.x % 32 == 0: the lanes of a warp cooperate
//=   needs grid.x * block.x / 32 >= rows: the launch has a warp for every row
//=   needs block.y == 1: groups of threads are counted along x
//=   needs block.z == 1: groups of threads are counted along x
//=   needs x and y apart
//= half_warps:
//=   line 49: the source does not show the effects of this code (this_thread_block)
