// SPDX-License-Identifier: Apache-2.0
// What people write shorter: pointers that move, several effects in a statement, structures of a thread.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, 64)
__global__ void moving(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  x += r * cols;
  const float *p = x;
  float sum = 0;
  for (int c = 0; c < cols; c++) sum += *p++;
  y[r] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, 64)
__global__ void two_steps(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float *p = x + r;
  float sum = 0, least;
  for (int c = 0; c < cols; c++, p += rows) sum += *p;
  p -= rows * cols;
  sum = least = sum + *p;
  y[r] = sum + least;
}

// Two loops, each of which the pointer goes through.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(rows, 64)
__global__ void strides(const float *x, float *y, int rows, int cols) {
  __shared__ float parts[64];
  const float *p = x + blockIdx.x * cols + threadIdx.x;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x, p += blockDim.x) sum += *p;
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = parts[0];
}

// What they were made of is another number when they are used.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, 64)
__global__ void made_before(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int k = 0;
  const int j = k + 1;
  const float *p = x + k;
  for (int c = 0; c < cols; c++)
    if (x[r * cols + c] > 0) k += 1;
  y[r] = x[j] + p[0] + k;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, 64)
__global__ void moves_for_some(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float *p = x + r * cols;
  float sum = 0;
  for (int c = 0; c < cols; c++)
    if (x[c] > 0) sum += *p++;
  y[r] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols], far[cols]) out(y[rows]) launch(1, 64)
__global__ void moves_as_data_say(const float *x, const int *far, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float *p = x;
  float sum = 0;
  for (int c = 0; c < cols; c++) {
    sum += *p;
    p += far[c];
  }
  y[r] = sum;
}

// Behind the loop nobody knows whether it has counted by fours to the end.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, 64)
__global__ void where_it_got_to(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float *p = x + r * cols;
  float sum = 0;
  for (int c = 0; c < cols; c += 4, p += 4) sum += *p;
  y[r] = sum + *p;
}

// A swap in one assignment, a sum in two members.
struct Pair {
  float low, high;
};
__device__ Pair turned(Pair one) {
  Pair other;
  other.low = one.high;
  other.high = one.low;
  return other;
}
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, 64)
__global__ void members(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float2 sums = make_float2(0, 1);
  for (int c = 0; c < cols; c++) sums.x += x[r * cols + c], sums.y *= x[r * cols + c];
  sums = make_float2(sums.y, sums.x);
  Pair pair = turned(Pair{sums.x, sums.y});
  y[r] = sums.x - pair.low;
}

__device__ void ordered(Pair *pair) {
  if (pair->low > pair->high) pair->low = pair->high;
}
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, 64)
__global__ void address_of_members(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  Pair pair = {x[r * cols], x[r * cols + 1]};
  ordered(&pair);
  y[r] = pair.low;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 4096) in(x[n]) out(y[n]) launch(4, 256)
__global__ void four_at_once(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  float4 v = reinterpret_cast<const float4 *>(x)[i];
  v.x = v.x > 0 ? v.x : 0;
  v.w *= 2;
  reinterpret_cast<float4 *>(y)[i] = v;
}

// No vector of what the buffer holds.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 4096) in(x[n]) out(y[n]) launch(4, 256)
__global__ void other_bits(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  int4 v = reinterpret_cast<const int4 *>(x)[i];
  y[i] = v.x + v.y;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 4096) in(x[n]) out(y[n]) launch(16, 256)
__global__ void names_and_numbers(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  using number = float;
  typedef unsigned long long bits;
  static_assert(sizeof(bits) == 8, "");
  number scale = 2;
  bits all = 0xcbf29ce484222325ull;
  y[i] = x[i] * scale + (number)(all >> 60);
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(8, 256)
__global__ void warp_of_a_block(const float *x, float *y, int rows, int cols) {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int row = blockIdx.x * (blockDim.x >> 5) + warp;
  if (row >= rows) return;
  float sum = 0;
  for (int c = lane; c < cols; c += 32) sum += x[row * cols + c];
  for (int far = 16; far > 0; far /= 2) sum += __shfl_xor_sync(0xffffffff, sum, far);
  if (lane == 0) y[row] = sum;
}

// The block has eight warps and a block is seven rows away from the next.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(8, 256)
__global__ void rows_of_two_blocks(const float *x, float *y, int rows, int cols) {
  const int lane = threadIdx.x & 31, row = blockIdx.x * 7 + (threadIdx.x >> 5);
  if (row >= rows) return;
  float sum = 0;
  for (int c = lane; c < cols; c += 32) sum += x[row * cols + c];
  for (int far = 16; far > 0; far /= 2) sum += __shfl_xor_sync(0xffffffff, sum, far);
  if (lane == 0) y[row] = sum;
}

// The second step sees what the first has made of the counter.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, 64)
__global__ void steps_in_order(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; c++, sum += c) sum += x[r * cols + c];
  y[r] = sum;
}

// Behind a loop that moves it, the parameter moves under a condition.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, 64)
__global__ void moves_twice(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; c++) sum += *x++;
  for (int c = 0; c < cols; c++)
    if (sum > c) x++;
  y[r] = *x;
}

// An inner loop uses what an outer one moves.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, 64)
__global__ void inner_loop(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; c++, x += rows)
    for (int k = 0; k < 3; k++) sum += x[r] * k;
  y[r] = sum;
}

// What its constructor makes of two numbers is not the two numbers.
struct Interval {
  float from, to;
  __device__ Interval(float2 ends) : from(fminf(ends.x, ends.y)), to(fmaxf(ends.x, ends.y)) {}
};
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, 64)
__global__ void constructed(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float2 ends = make_float2(x[r], x[r + rows]);
  Interval all(ends);
  y[r] = all.to - all.from;
}

// What comes after the condition sees that it has moved.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, 64)
__global__ void moves_in_a_condition(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  x += r * cols;
  if (*x++ < 0) return;
  y[r] = *x;
}
//= moving:
//=   for r in 0 .. rows  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       sum += x[cols * r + c]
//=     y[r] = sum
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= two_steps:
//=   for r in 0 .. rows  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       sum += x[c * rows + r]
//=     float least_2 = sum + x[cols * rows + r - rows * cols]
//=     float sum_2 = least_2
//=     y[r] = sum_2 + least_2
//=   needs cols >= 0: 'p' has moved forward
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= strides:
//=   for block in 0 .. grid.x  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       sum += x[block * cols + c]
//=     y[block] = sum
//=   needs block.x == 64: as many threads cooperate
//=   needs x and y apart
//= made_before:
//=   for r in 0 .. rows  (independent)
//=     int k = 0
//=     int j = k + 1
//=     long long p_offset = k
//=     for c in 0 .. cols  (reduction)
//=       if x[r * cols + c] > 0
//=         k += 1
//=     y[r] = x[j] + x[p_offset + 0] + k
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= moves_for_some:
//=   line 67: the pointer 'p' moves
//= moves_as_data_say:
//=   line 80: how far the pointer 'p' moves changes
//= where_it_got_to:
//=   line 94: where the pointer 'p' has got to is not known
//= members:
//=   for r in 0 .. rows  (independent)
//=     float sums_x = 0.f
//=     float sums_y = 1.f
//=     for c in 0 .. cols  (reduction)
//=       sums_x += x[r * cols + c]
//=       sums_y *= x[r * cols + c]
//=     float sums_new = sums_y
//=     float sums_new_2 = sums_x
//=     float sums_x_2 = sums_new
//=     float sums_y_2 = sums_new_2
//=     float one_high = sums_y_2
//=     float other_low_2 = one_high
//=     float pair_low = other_low_2
//=     y[r] = sums_x_2 - pair_low
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= address_of_members:
//=   line 127: an expression of a kind that is not known here
//= four_at_once:
//=   for i in 0 .. n / 4  (independent)
//=     float v_x = x[i * 4 + 0]
//=     float v_y = x[i * 4 + 1]
//=     float v_z = x[i * 4 + 2]
//=     float v_w = x[i * 4 + 3]
//=     float v_x_2 = v_x > 0 ? v_x : 0
//=     float v_w_2 = v_w * 2
//=     y[i * 4 + 0] = v_x_2
//=     y[i * 4 + 1] = v_y
//=     y[i * 4 + 2] = v_z
//=     y[i * 4 + 3] = v_w_2
//=   needs grid.x * block.x >= n / 4: the launch has a thread for every i
//=   needs x and y apart
//=   needs x to begin at a multiple of 4 elements: so many are accessed at once
//=   needs y to begin at a multiple of 4 elements: so many are accessed at once
//= other_bits:
//=   line 149: 'x' is read as 'int4'
//= names_and_numbers:
//=   for i in 0 .. n  (independent)
//=     float scale = 2
//=     y[i] = x[i] * scale + (float)(0xcbf29ce484222325ull >> 60)
//=   needs grid.x * block.x >= n: the launch has a thread for every i
//=   needs x and y apart
//= warp_of_a_block:
//=   for row in 0 .. rows  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       sum += x[row * cols + c]
//=     y[row] = sum
//=   needs block.x % 32 == 0: the lanes of a warp cooperate
//=   needs grid.x * block.x / 32 >= rows: the launch has a warp for every row
//=   needs x and y apart
//= rows_of_two_blocks:
//=   line 187: what is written here is no sum or maximum over the block
//= steps_in_order:
//=   line 197: a loop that does not count up to a bound
//= moves_twice:
//=   line 210: the pointer 'x' moves
//= inner_loop:
//=   for r in 0 .. rows  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       for k in 0 .. 3  (reduction)
//=         sum += x[c * rows + r] * k
//=     y[r] = sum
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= constructed:
//=   line 237: 'construct' is not known here
//= moves_in_a_condition:
//=   line 248: the pointer 'x' moves
