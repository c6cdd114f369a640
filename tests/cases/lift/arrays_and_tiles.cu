// SPDX-License-Identifier: Apache-2.0
//
// Arrays of a thread, tiles that threads fill in rows, and structures in shared memory; and what looks like them.
#include <cuda_runtime.h>

// Four rows a thread: the loop over them goes outwards.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 300, k = 40) in(a[n * k], x[k]) out(y[n]) launch((n + 511) / 512, 128)
__global__ void four_rows(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int k) {
  float acc[4] = {};
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int c = 0; c < k; ++c) {
    const float v = x[c];
    for (int i = 0; i < 4; ++i)
      if (first + i < n) acc[i] += a[(first + i) * k + c] * v;
  }
  for (int i = 0; i < 4; ++i) {
    const int row = first + i;
    if (row >= n) break;
    y[row] = acc[i];
  }
}

// What one row has goes on to the next.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 300, k = 40) in(a[n * k]) out(y[n]) launch((n + 511) / 512, 128)
__global__ void rows_go_on(const float *__restrict__ a, float *__restrict__ y, int n, int k) {
  float acc[4] = {};
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int c = 0; c < k; ++c)
    for (int i = 0; i < 4; ++i)
      if (first + i < n) acc[i] += a[(first + i) * k + c];
  float so_far = 0;
  for (int i = 0; i < 4; ++i) {
    so_far += acc[i];
    if (first + i < n) y[first + i] = so_far;
  }
}

// Another element of the array.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 300, k = 40) in(a[n * k]) out(y[n]) launch((n + 511) / 512, 128)
__global__ void neighbours_element(const float *__restrict__ a, float *__restrict__ y, int n, int k) {
  float acc[4] = {};
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int c = 0; c < k; ++c)
    for (int i = 0; i < 4; ++i)
      if (first + i < n) acc[i] += a[(first + i) * k + c];
  for (int i = 0; i < 4; ++i)
    if (first + i < n) y[first + i] = acc[3 - i];
}

// The sums begin with something else than zero, and differ.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 300, k = 40) in(a[n * k]) out(y[n]) launch((n + 511) / 512, 128)
__global__ void begin_apart(const float *__restrict__ a, float *__restrict__ y, int n, int k) {
  float acc[4] = {0, 1, 2, 3};
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int c = 0; c < k; ++c)
    for (int i = 0; i < 4; ++i)
      if (first + i < n) acc[i] += a[(first + i) * k + c];
  for (int i = 0; i < 4; ++i)
    if (first + i < n) y[first + i] = acc[i];
}

// The loop ends early at a row that need not be the last.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 300, k = 40) in(a[n * k]) out(y[n]) launch((n + 511) / 512, 128)
__global__ void ends_early(const float *__restrict__ a, float *__restrict__ y, int n, int k) {
  float acc[4] = {};
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int c = 0; c < k; ++c)
    for (int i = 0; i < 4; ++i)
      if (first + i < n) acc[i] += a[(first + i) * k + c];
  for (int i = 0; i < 4; ++i) {
    const int row = first + 3 - i;
    if (row >= n) break;
    y[row] = acc[i];
  }
}

// Every row adds to the same element.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 300, k = 40) in(a[n * k]) inout(y[1]) launch((n + 511) / 512, 128)
__global__ void adds_once(const float *__restrict__ a, float *__restrict__ y, int n, int k) {
  float acc[4] = {};
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int c = 0; c < k; ++c)
    for (int i = 0; i < 4; ++i)
      if (first + i < n) acc[i] += a[(first + i) * k + c];
  atomicAdd(y, 1.f);
  for (int i = 0; i < 4; ++i)
    if (first + i < n) atomicAdd(y, acc[i]);
}

// An array that a loop fills, of which another part is read.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 300) in(x[n + 8]) out(y[n]) launch((n + 127) / 128, 128)
__global__ void reads_unfilled(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[8];
  for (int k = 0; k < 4; ++k) v[k] = x[i + k];
  float s = 0;
  for (int k = 0; k < 8; ++k) s += v[k];
  if (i < n) y[i] = s;
}

// A transposition by 32 x 8 threads.
#pragma cupilot optimize
#pragma cupilot workload(a) set(w = 100, h = 70) in(in[w * h]) out(out[w * h]) launch(dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8))
__global__ void transpose(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Only half of the rows are filled.
#pragma cupilot optimize
#pragma cupilot workload(a) set(w = 100, h = 70) in(in[w * h]) out(out[w * h]) launch(dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8))
__global__ void half_of_the_rows(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 16; j += 8)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

// The rows that threads fill lie over each other: steps of 4 by 8 threads.
#pragma cupilot optimize
#pragma cupilot workload(a) set(w = 100, h = 70) in(in[w * h]) out(out[w * h]) launch(dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8))
__global__ void rows_overlap(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
  __shared__ float tile[40][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 4)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x] + j;
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

// The step of the loop is in what is put there.
#pragma cupilot optimize
#pragma cupilot workload(a) set(w = 100, h = 70) in(in[w * h]) out(out[w * h]) launch(dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8))
__global__ void step_in_the_value(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x] * j;
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

// A row with what is left and right of it, filled by a number.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(x[n]) out(y[n]) launch((n + 127) / 128, dim3(32, 4))
__global__ void by_number(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[4][34];
  const int first = blockIdx.x * 128;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 4 * 34; i += 128) {
    const int r = i / 34, c = i % 34, at = first + r * 32 + c - 1;
    tile[r][c] = at >= 0 && at < n ? x[at] : 0.f;
  }
  __syncthreads();
  const int at = first + threadIdx.y * 32 + threadIdx.x;
  if (at < n) y[at] = tile[threadIdx.y][threadIdx.x] + tile[threadIdx.y][threadIdx.x + 2];
}

// The same, of rows that are longer than what a number is taken apart by.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(x[n]) out(y[n]) launch((n + 127) / 128, dim3(32, 4))
__global__ void by_another_number(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[4][36];
  const int first = blockIdx.x * 128;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 4 * 34; i += 128) {
    const int r = i / 34, c = i % 36, at = first + r * 32 + c - 1;
    tile[r][c] = at >= 0 && at < n ? x[at] : 0.f;
  }
  __syncthreads();
  const int at = first + threadIdx.y * 32 + threadIdx.x;
  if (at < n) y[at] = tile[threadIdx.y][threadIdx.x] + tile[threadIdx.y][threadIdx.x + 2];
}

struct Pair {
  float sum, square;
};

// Structures in shared memory.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 9, cols = 300) in(x[rows * cols]) out(y[rows]) launch(rows, 128)
__global__ void pairs(const float *__restrict__ x, float *__restrict__ y, int cols) {
  __shared__ Pair part[128];
  Pair own = {0, 0};
  for (int c = threadIdx.x; c < cols; c += 128) {
    const float v = x[blockIdx.x * cols + c];
    own.sum += v;
    own.square += v * v;
  }
  part[threadIdx.x] = own;
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) {
      part[threadIdx.x].sum += part[threadIdx.x + s].sum;
      part[threadIdx.x].square += part[threadIdx.x + s].square;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = part[0].square - part[0].sum * part[0].sum / cols;
}

// The first half is folded of one member, all of the other.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 9, cols = 300) in(x[rows * cols]) out(y[rows]) launch(rows, 128)
__global__ void half_of_a_member(const float *__restrict__ x, float *__restrict__ y, int cols) {
  __shared__ Pair part[128];
  Pair own = {0, 0};
  for (int c = threadIdx.x; c < cols; c += 128) {
    const float v = x[blockIdx.x * cols + c];
    own.sum += v;
    own.square += v * v;
  }
  part[threadIdx.x] = own;
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) {
      if (s < 64) part[threadIdx.x].sum += part[threadIdx.x + s].sum;
      part[threadIdx.x].square += part[threadIdx.x + s].square;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = part[0].square - part[0].sum * part[0].sum / cols;
}

// A structure whose address is taken.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 9, cols = 300) in(x[rows * cols]) out(y[rows]) launch(rows, 128)
__global__ void by_address(const float *__restrict__ x, float *__restrict__ y, int cols) {
  __shared__ Pair part[128];
  Pair *mine = &part[threadIdx.x];
  mine->sum = x[blockIdx.x * cols + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = part[1].sum;
}

__device__ float2 with(float2 so_far, float v) {
  so_far.x += v;
  so_far.y += v * v;
  return so_far;
}

// A function that takes sums and returns them with one term more.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 300, cols = 50) in(x[rows * cols]) out(y[rows]) launch((rows + 127) / 128, 128)
__global__ void takes_and_returns(const float *__restrict__ x, float *__restrict__ y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float2 sums = make_float2(0, 0);
  for (int c = 0; c < cols; ++c) sums = with(sums, x[row * cols + c]);
  y[row] = sums.y - sums.x * sums.x / cols;
}

__device__ float2 crossed(float2 so_far, float v) {
  const float before = so_far.x;
  so_far.x += v;
  so_far.y += v * before;
  return so_far;
}

// One sum is made of the other as it was: in order.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 300, cols = 50) in(x[rows * cols]) out(y[rows]) launch((rows + 127) / 128, 128)
__global__ void one_sum_of_the_other(const float *__restrict__ x, float *__restrict__ y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float2 sums = make_float2(0, 0);
  for (int c = 0; c < cols; ++c) sums = crossed(sums, x[row * cols + c]);
  y[row] = sums.y;
}

// Sums that are stored as they grow: in order.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 300, cols = 50) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 127) / 128, 128)
__global__ void stored_as_it_grows(const float *__restrict__ x, float *__restrict__ y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float2 sums = make_float2(0, 0);
  for (int c = 0; c < cols; ++c) {
    sums = with(sums, x[row * cols + c]);
    y[row * cols + c] = sums.x + sums.y;
  }
}

// Some elements keep what they had.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 300) in(x[n]) out(y[n]) launch((n + 511) / 512, 128)
__global__ void filled_under_a_condition(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float v[4];
  for (int k = 0; k < 4; ++k) v[k] = 1;
  for (int k = 0; k < 4; ++k)
    if (i + k < n && x[i + k] > 0) v[k] = x[i + k];
  for (int k = 0; k < 4; ++k)
    if (i + k < n) y[i + k] = v[k];
}

// The second loop fills the second half only.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 300) in(x[n + 8]) out(y[n]) launch((n + 511) / 512, 128)
__global__ void filled_in_halves(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float v[4];
  for (int k = 0; k < 4; ++k) v[k] = x[i + k];
  for (int k = 2; k < 4; ++k) v[k] = 0;
  for (int k = 0; k < 4; ++k)
    if (i + k < n) y[i + k] = v[k];
}

// Round after round.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 300, rounds = 3) in(x[n + 8]) out(y[n]) launch((n + 511) / 512, 128)
__global__ void filled_in_rounds(const float *__restrict__ x, float *__restrict__ y, int n, int rounds) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float v[4];
  for (int k = 0; k < 4; ++k) v[k] = x[i + k];
  for (int r = 0; r < rounds; ++r)
    for (int k = 0; k < 4; ++k) v[k] = v[k] * 0.5f + 1;
  for (int k = 0; k < 4; ++k)
    if (i + k < n) y[i + k] = v[k];
}

// What is kept is a sum as it was then.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 300) in(x[n + 8]) out(y[n]) launch((n + 511) / 512, 128)
__global__ void keeps_a_growing_sum(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float v[4], sum = 0;
  for (int k = 0; k < 4; ++k) {
    sum += x[i + k];
    v[k] = sum;
  }
  for (int k = 0; k < 4; ++k)
    if (i + k < n) y[i + k] = v[k];
}

// The memory changes before what was kept of it is used.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 300) inout(x[n]) launch((n + 511) / 512, 128)
__global__ void keeps_what_changes(float *x, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 4 > n) return;
  float v[4];
  for (int k = 0; k < 4; ++k) v[k] = x[i + k];
  for (int k = 0; k < 4; ++k) x[i + (k + 1) % 4] = v[k];
}

// A loop that begins below zero reads what is beside the tile.
#pragma cupilot optimize
#pragma cupilot workload(a) set(w = 64, h = 64) in(in[w * h]) out(out[w * h]) launch(dim3(w / 32, h / 8), dim3(32, 8))
__global__ void from_below_zero(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
  __shared__ float tile[8][32];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  float sum = 0;
  for (int d = -1; d < 1; ++d) sum += tile[threadIdx.y][threadIdx.x + d];
  out[y * w + x] = sum;
}

// A tile under two conditions.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 64, k = 48) in(a[n * k], b[k * n]) out(c[n * n]) launch(dim3(4, 4), dim3(16, 16))
__global__ void under_two_conditions(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k) {
  __shared__ float as[16][16], bs[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    if (row < n) {
      if (t != 16) as[threadIdx.y][threadIdx.x] = a[row * k + t + threadIdx.x];
    }
    bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
    __syncthreads();
    for (int e = 0; e < 16; ++e) sum += as[threadIdx.y][e] * bs[e][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
//= four_rows:
//=   for i_2_i in 0 .. n  (independent)
//=     float acc = 0
//=     for c in 0 .. k  (reduction)
//=       float v = x[c]
//=       acc += a[i_2_i * k + c] * v
//=     y[i_2_i] = acc
//=   needs 4 * (block.x * grid.x) >= n: the launch has threads for every i_2_i
//= rows_go_on:
//=   line 32: 'acc' is an array of each thread
//= neighbours_element:
//=   line 48: 'acc' is an array of each thread
//= begin_apart:
//=   line 57: 'acc' is an array of each thread
//= ends_early:
//=   line 74: 'acc' is an array of each thread
//= adds_once:
//=   line 90: 'acc' is an array of each thread
//= reads_unfilled:
//=   line 104: 'v' is read where it is not known to be filled
//= transpose:
//=   for block_y_t in 0 .. h  (independent)
//=     for block_j_all in 0 .. w  (independent)
//=       out[block_j_all * h + block_y_t] = in[block_y_t * w + block_j_all]
//=   needs block.x == 32: the kernel counts on this block size
//=   needs block.y == 8: rows of threads share the work
//=   needs 32 * grid.y >= h: the launch has threads for every block_y_t
//=   needs 32 * grid.x >= w: the launch has threads for every block_j_all
//= half_of_the_rows:
//=   line 135: 'tile' is read where it is not known to be filled
//= rows_overlap:
//=   line 145: which thread fills which element of 'tile' is not known
//= step_in_the_value:
//=   line 165: 'tile' is read where it is not known to be filled
//= by_number:
//=   for block in 0 .. grid.x  (independent)
//=     for ty in 0 .. block.y  (independent)
//=       for t in 0 .. block.x  (independent)
//=         if block * 128 + ty * 32 + t < n
//=           y[block * 128 + ty * 32 + t] = (block * 128 + ty * 32 + t - 1 >= 0 && block * 128 + ty * 32 + t - 1 < n ? x[block * 128 + ty * 32 + t - 1] : 0.f) + (block * 128 + ty * 32 + (t + 2) - 1 >= 0 && block * 128 + ty * 32 + (t + 2) - 1 < n ? x[block * 128 + ty * 32 + (t + 2) - 1] : 0.f)
//=   needs block.x == 32: as many threads cooperate
//= by_another_number:
//=   line 191: which thread fills which element of 'tile' is not known
//= pairs:
//=   for block in 0 .. grid.x  (independent)
//=     float own_sum = 0.f
//=     float own_square = 0.f
//=     for c in 0 .. cols  (reduction)
//=       float v = x[block * cols + c]
//=       own_sum += v
//=       own_square += v * v
//=     y[block] = own_square - own_sum * own_sum / cols
//=   needs block.x == 128: as many threads cooperate
//= half_of_a_member:
//=   line 245: what is written here is no sum or maximum over the block
//= by_address:
//=   line 253: a pointer is computed in a way that hides which buffer it points to
//= takes_and_returns:
//=   for row in 0 .. rows  (independent)
//=     float sums_x = 0.f
//=     float sums_y = 0.f
//=     for c in 0 .. cols  (reduction)
//=       float v = x[row * cols + c]
//=       sums_x += v
//=       sums_y += v * v
//=     y[row] = sums_y - sums_x * sums_x / cols
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//= one_sum_of_the_other:
//=   for row in 0 .. rows  (independent)
//=     float sums_x = 0.f
//=     float sums_y = 0.f
//=     for c in 0 .. cols  (in order)
//=       float so_far_x = sums_x
//=       float v = x[row * cols + c]
//=       float before = so_far_x
//=       float so_far_x_2 = so_far_x + v
//=       sums_x = so_far_x_2
//=       sums_y += v * before
//=     y[row] = sums_y
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//= stored_as_it_grows:
//=   for row in 0 .. rows  (independent)
//=     float sums_x = 0.f
//=     float sums_y = 0.f
//=     for c in 0 .. cols  (in order)
//=       float so_far_x = sums_x
//=       float so_far_y = sums_y
//=       float v = x[row * cols + c]
//=       float so_far_x_2 = so_far_x + v
//=       float so_far_y_2 = so_far_y + v * v
//=       sums_x = so_far_x_2
//=       sums_y = so_far_y_2
//=       y[row * cols + c] = sums_x + sums_y
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//= filled_under_a_condition:
//=   line 315: 'v' is an array of each thread
//= filled_in_halves:
//=   line 327: 'v' is an array of each thread
//= filled_in_rounds:
//=   for i_k in 0 .. n  (independent)
//=     float v_2 = x[i_k]
//=     for r in 0 .. rounds  (in order)
//=       v_2 = v_2 * 0.5f + 1
//=     y[i_k] = v_2
//=   needs 4 * (block.x * grid.x) >= n: the launch has threads for every i_k
//= keeps_a_growing_sum:
//=   line 353: what 'v' holds is made of what changes later
//= keeps_what_changes:
//=   line 367: 'x' is written, and threads keep elements of it
//= from_below_zero:
//=   line 379: 'tile' is read where it is not known to be filled
//= under_two_conditions:
//=   line 392: which thread fills which element of 'as' is not known
