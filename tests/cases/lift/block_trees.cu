// SPDX-License-Identifier: Apache-2.0
// What a block folds is the fold of all, whatever way its threads go about it; anything less is refused.
#include <math.h>
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 256)
__global__ void softmax_tree(const float *x, float *y, int rows, int cols) {
  __shared__ float sh[256];
  int row = blockIdx.x;
  if (row >= rows) return;
  int tid = threadIdx.x;
  float m = -INFINITY;
  for (int c = tid; c < cols; c += blockDim.x) m = fmaxf(m, x[row * cols + c]);
  sh[tid] = m;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sh[tid] = fmaxf(sh[tid], sh[tid + s]);
    __syncthreads();
  }
  m = sh[0];
  __syncthreads();
  float sum = 0;
  for (int c = tid; c < cols; c += blockDim.x) sum += expf(x[row * cols + c] - m);
  sh[tid] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sh[tid] += sh[tid + s];
    __syncthreads();
  }
  sum = sh[0];
  for (int c = tid; c < cols; c += blockDim.x) y[row * cols + c] = expf(x[row * cols + c] - m) / sum;
}

__device__ float warp_sum(float v) {
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffffu, v, o);
  return v;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows]) launch(rows, 256)
__global__ void shuffles(const float *x, float *y, int cols) {
  __shared__ float parts[32];
  float v = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) v += x[blockIdx.x * cols + c];
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0.0f;
    v = warp_sum(v);
    if (threadIdx.x == 0) y[blockIdx.x] = v / cols;
  }
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows]) launch(32, 128)
__global__ void warp_a_row(const float *x, float *y, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x & 31;
  if (row >= rows) return;
  float s = 0;
  for (int c = lane; c < cols; c += 32) s += x[row * cols + c];
  for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(0xffffffff, s, o);
  if (lane == 0) y[row] = s;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(x[n]) inout(out[1]) launch((n + 255) / 256, 256)
__global__ void one_element_a_thread(const float *x, float *out, int n) {
  __shared__ float sh[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sh[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) sh[threadIdx.x] += sh[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, sh[0]);
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(x[n]) inout(out[1]) launch(8, 256)
__global__ void grid_and_atomic(const float *x, float *out, int n) {
  __shared__ float sh[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * x[i];
  sh[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) sh[threadIdx.x] += sh[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, sh[0]);
}

// The tree begins at a quarter: half of the threads' parts are lost.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows]) launch(rows, 256)
__global__ void loses_parts(const float *x, float *y, int cols) {
  __shared__ float sh[256];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += x[blockIdx.x * cols + c];
  sh[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (threadIdx.x < s) sh[threadIdx.x] += sh[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sh[0];
}

// An exchange with oneself counts twice.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows]) launch(rows, 32)
__global__ void counts_twice(const float *x, float *y, int cols) {
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += x[blockIdx.x * cols + c];
  for (int o = 16; o >= 0; o /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, o);
    if (o == 0) break;
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

// A maximum of sums is neither.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows]) launch(rows, 256)
__global__ void two_operators(const float *x, float *y, int cols) {
  __shared__ float sh[256];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += x[blockIdx.x * cols + c];
  sh[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) sh[threadIdx.x] = fmaxf(sh[threadIdx.x], sh[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sh[0];
}

// Half of the threads do not reach the barrier.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows]) launch(rows, 256)
__global__ void divergent_barrier(const float *x, float *y, int cols) {
  __shared__ float sh[256];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += x[blockIdx.x * cols + c];
  sh[threadIdx.x] = sum;
  if (threadIdx.x < 128) {
    __syncthreads();
    sh[threadIdx.x] += sh[threadIdx.x + 128];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sh[0];
}

// Every thread's part begins with one: 256 of them in all.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows]) launch(rows, 256)
__global__ void begins_with_one(const float *x, float *y, int cols) {
  __shared__ float sh[256];
  float sum = 1;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += x[blockIdx.x * cols + c];
  sh[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) sh[threadIdx.x] += sh[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sh[0];
}

// Other threads' parts are added, but thread 0 keeps its own.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(x[n]) inout(out[1]) launch(8, 256)
__global__ void parts_of_the_grid(const float *x, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  atomicAdd(out, sum * sum);
}

// The loop that threads share in the end keeps its length: of its channels there are few.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 6, channels = 4, plane = 900) in(x[rows * channels * plane], g[channels]) out(y[rows * channels * plane]) launch(rows, 256)
__global__ void scaled_by_channel(const float *x, const float *g, float *y, int rows, int channels, int plane) {
  __shared__ float part[256];
  const float *row = x + blockIdx.x * channels * plane;
  float sum = 0;
  for (int i = threadIdx.x; i < channels * plane; i += 256) sum += row[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < channels * plane; i += 256)
    y[blockIdx.x * channels * plane + i] = row[i] / part[0] * g[i / plane];
}

// Every warp adds its share.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) inout(y[1]) launch(8, 256)
__global__ void warps_add(const float *x, float *y, int n) {
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) atomicAdd(y, s / n);
}

// Two lanes of every warp add it.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) inout(y[1]) launch(8, 256)
__global__ void warps_add_twice(const float *x, float *y, int n) {
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
  if (threadIdx.x % 16 == 0) atomicAdd(y, s);
}

// A square of a share is no share of the square.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) inout(y[1]) launch(8, 256)
__global__ void warps_add_squares(const float *x, float *y, int n) {
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) atomicAdd(y, s * s);
}

// Each to an element of its own.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) inout(y[64]) launch(8, 256)
__global__ void warps_add_apart(const float *x, float *y, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) atomicAdd(&y[blockIdx.x * 8 + threadIdx.x / 32], s);
}

// Some warps only.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) inout(y[1]) launch(8, 256)
__global__ void some_warps_add(const float *x, float *y, int n) {
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
  if (threadIdx.x % 64 == 0) atomicAdd(y, s);
}

// Fours, and then the rest: one sum.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) inout(y[1]) launch(8, 256)
__global__ void fours_and_rest(const float *x, float *y, int n) {
  float s = 0;
  const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n / 4; i += stride) {
    float4 v = reinterpret_cast<const float4 *>(x)[i];
    s += v.x + v.y + v.z + v.w;
  }
  for (int i = n / 4 * 4 + first; i < n; i += stride) s += x[i];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) atomicAdd(y, s);
}

// The second loop goes on from what all lanes have together.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) inout(y[1]) launch(8, 256)
__global__ void goes_on_from_the_whole(const float *x, float *y, int n) {
  float s = 0;
  const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += stride) s += x[i];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
  for (int i = first; i < n; i += stride) s += x[i];
  if (threadIdx.x % 32 == 0) atomicAdd(y, s);
}

// The second loop folds by another operator.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) inout(y[1]) launch(8, 256)
__global__ void goes_on_otherwise(const float *x, float *y, int n) {
  float s = 0;
  const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += stride) s += x[i];
  for (int i = first; i < n; i += stride) s = fmaxf(s, x[i]);
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) atomicAdd(y, s);
}
//= softmax_tree:
//=   for row in 0 .. rows  (independent)
//=     float m = -INFINITY
//=     for c in 0 .. cols  (reduction)
//=       m = max(m, x[row * cols + c])
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       sum += expf(x[row * cols + c] - m)
//=     for c in 0 .. cols  (independent)
//=       y[row * cols + c] = expf(x[row * cols + c] - m) / sum
//=   needs block.x == 256: as many threads cooperate
//=   needs grid.x >= rows: the launch has a block for every row
//=   needs x and y apart
//= shuffles:
//=   for block in 0 .. grid.x  (independent)
//=     float v = 0
//=     for c in 0 .. cols  (reduction)
//=       v += x[block * cols + c]
//=     y[block] = v / cols
//=   needs block.x == 256: as many threads cooperate
//=   needs x and y apart
//= warp_a_row:
//=   for row in 0 .. rows  (independent)
//=     float s = 0
//=     for c in 0 .. cols  (reduction)
//=       s += x[row * cols + c]
//=     y[row] = s
//=   needs block.x % 32 == 0: the lanes of a warp cooperate
//=   needs grid.x * block.x / 32 >= rows: the launch has a warp for every row
//=   needs x and y apart
//= one_element_a_thread:
//=   float total = 0.0f
//=   for block_t in 0 .. n  (reduction)
//=     total += x[block_t]
//=   out[0] += total  (many may)
//=   needs block.x == 256: as many threads cooperate
//=   needs block.x * grid.x >= n: no element is left out
//=   needs x and out apart
//= grid_and_atomic:
//=   float sum = 0
//=   for i in 0 .. n  (reduction)
//=     sum += x[i] * x[i]
//=   out[0] += sum  (many may)
//=   needs block.x == 256: as many threads cooperate
//=   needs x and out apart
//= loses_parts:
//=   line 108: what is written here is no sum or maximum over the block
//= counts_twice:
//=   line 119: threads exchange values in a statement of a kind that is not known here
//= two_operators:
//=   line 137: what is written here is no sum or maximum over the block
//= divergent_barrier:
//=   line 149: a barrier that not all threads of the block reach
//= begins_with_one:
//=   line 161: every thread begins 'sum' with a value of its own
//= parts_of_the_grid:
//=   line 175: each thread or block has a part of 'sum', and no atomic operation puts the parts together
//= scaled_by_channel:
//=   for block in 0 .. grid.x  (independent)
//=     float sum = 0
//=     for i in 0 .. channels * plane  (reduction)
//=       sum += x[block * channels * plane + i]
//=     for i in 0 .. channels * plane  (independent)
//=       y[block * channels * plane + i] = x[block * channels * plane + i] / sum * g[i / plane]
//=   needs block.x == 256: as many threads cooperate
//=   needs g and y apart
//=   needs x and y apart
//= warps_add:
//=   float s = 0
//=   for i in 0 .. n  (reduction)
//=     s += x[i]
//=   y[0] += s / n  (many may)
//=   needs block.x == 256: as many threads cooperate
//=   needs x and y apart
//= warps_add_twice:
//=   line 215: what is written here is no sum or maximum over the block
//= warps_add_squares:
//=   line 225: what is written here is no sum or maximum over the block
//= warps_add_apart:
//=   line 235: some threads of a block write here
//= some_warps_add:
//=   line 245: what is written here is no sum or maximum over the block
//= fours_and_rest:
//=   float s = 0
//=   for i in 0 .. n  (reduction)
//=     s += x[i]
//=   y[0] += s  (many may)
//=   needs block.x == 256: as many threads cooperate
//=   needs x and y apart
//=   needs x to begin at a multiple of 4 elements: so many are accessed at once
//= goes_on_from_the_whole:
//=   line 272: what is written here is no sum or maximum over the block
//= goes_on_otherwise:
//=   line 284: what is written here is no sum or maximum over the block
