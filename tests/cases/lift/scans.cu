// SPDX-License-Identifier: Apache-2.0
// Scans that the threads of a block make together.

__device__ float warp_scan(float v, int lane) {
  for (int step = 1; step < 32; step *= 2) {
    float left = __shfl_up_sync(0xffffffff, v, step);
    if (lane >= step) v += left;
  }
  return v;
}

// A row in rounds as wide as the block, each scanned in shared memory (Hillis and Steele 1986).
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4, cols = 1000) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 64)
__global__ void rounds(const float *x, float *y, int rows, int cols) {
  __shared__ float sums[64];
  int row = blockIdx.x, thread = threadIdx.x;
  float before = 0;
  for (int first = 0; first < cols; first += 64) {
    int col = first + thread;
    sums[thread] = col < cols ? x[row * cols + col] : 0;
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
      float left = thread >= step ? sums[thread - step] : 0;
      __syncthreads();
      sums[thread] += left;
      __syncthreads();
    }
    if (col < cols) y[row * cols + col] = before + sums[thread];
    before += sums[63];
    __syncthreads();
  }
}

// Two buffers in turn, and one round.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4) in(x[rows * 64]) out(y[rows * 64]) launch(rows, 64)
__global__ void one_round(const float *x, float *y, int rows) {
  __shared__ float sums[2][64];
  int thread = threadIdx.x, from = 0;
  sums[0][thread] = x[blockIdx.x * 64 + thread];
  __syncthreads();
  for (int step = 1; step < 64; step <<= 1) {
    if (thread >= step)
      sums[1 - from][thread] = sums[from][thread] + sums[from][thread - step];
    else
      sums[1 - from][thread] = sums[from][thread];
    from = 1 - from;
    __syncthreads();
  }
  y[blockIdx.x * 64 + thread] = sums[from][thread];
}

// The last step is missing: the upper threads lack what the lowest have.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4) in(x[rows * 64]) out(y[rows * 64]) launch(rows, 64)
__global__ void too_few_steps(const float *x, float *y, int rows) {
  __shared__ float sums[64];
  int thread = threadIdx.x;
  sums[thread] = x[blockIdx.x * 64 + thread];
  __syncthreads();
  for (int step = 1; step < 32; step *= 2) {
    float left = thread >= step ? sums[thread - step] : 0;
    __syncthreads();
    sums[thread] += left;
    __syncthreads();
  }
  y[blockIdx.x * 64 + thread] = sums[thread];
}

// What comes before: each thread has the sum of those below it.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4) in(x[rows * 64]) out(y[rows * 64]) launch(rows, 64)
__global__ void exclusive(const float *x, float *y, int rows) {
  __shared__ float sums[64];
  int thread = threadIdx.x;
  sums[thread] = x[blockIdx.x * 64 + thread];
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    float left = thread >= step ? sums[thread - step] : 0;
    __syncthreads();
    sums[thread] += left;
    __syncthreads();
  }
  y[blockIdx.x * 64 + thread] = thread > 0 ? sums[thread - 1] : 0;
}

// The rounds begin with another sum than the one that they add up.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4, cols = 1000) in(x[rows * cols], z[rows * cols]) out(y[rows * cols]) launch(rows, 64)
__global__ void other_carry(const float *x, const float *z, float *y, int rows, int cols) {
  __shared__ float sums[64];
  int row = blockIdx.x, thread = threadIdx.x;
  float before = 0;
  for (int first = 0; first < cols; first += 64) {
    int col = first + thread;
    sums[thread] = col < cols ? x[row * cols + col] : 0;
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
      float left = thread >= step ? sums[thread - step] : 0;
      __syncthreads();
      sums[thread] += left;
      __syncthreads();
    }
    if (col < cols) y[row * cols + col] = before + sums[thread];
    before += z[row * cols + first];
    __syncthreads();
  }
}

// What the rounds before have is used for itself, too.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4, cols = 1000) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 64)
__global__ void carry_alone(const float *x, float *y, int rows, int cols) {
  __shared__ float sums[64];
  int row = blockIdx.x, thread = threadIdx.x;
  float before = 0;
  for (int first = 0; first < cols; first += 64) {
    int col = first + thread;
    sums[thread] = col < cols ? x[row * cols + col] : 0;
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
      float left = thread >= step ? sums[thread - step] : 0;
      __syncthreads();
      sums[thread] += left;
      __syncthreads();
    }
    if (col < cols) y[row * cols + col] = (before + sums[thread]) * before;
    before += sums[63];
    __syncthreads();
  }
}

// In place: where the total is made, the row has been written over.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4) inout(x[rows * 64]) launch(rows, 64)
__global__ void in_place(float *x, int rows) {
  __shared__ float sums[64];
  int thread = threadIdx.x;
  sums[thread] = x[blockIdx.x * 64 + thread];
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    float left = thread >= step ? sums[thread - step] : 0;
    __syncthreads();
    sums[thread] += left;
    __syncthreads();
  }
  x[blockIdx.x * 64 + thread] = sums[thread];
}

// What a shuffle brings is another thread's, also of a variable that changes.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4) in(x[rows * 32]) out(y[rows * 32]) launch(rows, 32)
__global__ void neighbours(const float *x, float *y, int rows) {
  float v = x[blockIdx.x * 32 + threadIdx.x];
  float left = __shfl_up_sync(0xffffffff, v, 1);
  v += left;
  y[blockIdx.x * 32 + threadIdx.x] = v;
}

// Sums that each thread has made before it puts them into shared memory are its own, too.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4) in(x[rows * 256]) out(y[rows]) launch(rows, 64)
__global__ void own_sums(const float *x, float *y, int rows) {
  __shared__ float sums[64];
  int thread = threadIdx.x;
  float v = 0;
  for (int k = 0; k < 4; ++k) v += x[blockIdx.x * 256 + 4 * thread + k];
  sums[thread] = v;
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (thread < step) sums[thread] += sums[thread + step];
    __syncthreads();
  }
  if (thread == 0) y[blockIdx.x] = sums[0];
}
// Warps scan by shuffles, and their totals are added to what comes before; the total is made before the row is written.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4, cols = 1000) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 256)
__global__ void warps_in_rounds(const float *x, float *y, int rows, int cols) {
  __shared__ float sums[8];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  float carry = 0.0f;
  for (int base = 0; base < cols; base += 256) {
    int i = base + threadIdx.x;
    float v = warp_scan(i < cols ? x[blockIdx.x * cols + i] : 0.0f, lane);
    if (lane == 31) sums[warp] = v;
    __syncthreads();
    float before = 0.0f, total = 0.0f;
    for (int w = 0; w < 8; ++w) {
      if (w < warp) before += sums[w];
      total += sums[w];
    }
    if (i < cols) y[blockIdx.x * cols + i] = carry + before + v;
    carry += total;
    __syncthreads();
  }
}

// A warp a row, from the right end, what comes before is in the lanes' own variable.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 7, cols = 100) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 3) / 4, dim3(32, 4))
__global__ void warp_from_the_right(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  float offset = 0;
  for (int done = 0; done < cols; done += 32) {
    int c = cols - 1 - done - lane;
    float v = 0;
    if (c >= 0) v = x[row * cols + c];
    v = warp_scan(v, lane) + offset;
    if (c >= 0) y[row * cols + c] = v;
    offset = __shfl_sync(0xffffffff, v, 31);
  }
}

// What comes before is a number in shared memory that the last thread goes on with.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4, cols = 1000) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 64)
__global__ void shared_carry(const float *x, float *y, int rows, int cols) {
  __shared__ float carry, sums[2][64];
  int thread = threadIdx.x;
  if (thread == 0) carry = 1;
  __syncthreads();
  for (int first = 0; first < cols; first += 64) {
    int col = first + thread, from = 0;
    sums[from][thread] = col < cols ? x[blockIdx.x * cols + col] : 1;
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
      int to = 1 - from;
      if (thread >= step)
        sums[to][thread] = sums[from][thread] * sums[from][thread - step];
      else
        sums[to][thread] = sums[from][thread];
      from = to;
      __syncthreads();
    }
    float before = carry;
    if (col < cols) y[blockIdx.x * cols + col] = before * sums[from][thread];
    __syncthreads();
    if (thread == 63) carry = before * sums[from][thread];
    __syncthreads();
  }
}

// What comes before is gone on with before the row is written: it counts the round twice.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 7, cols = 100) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 32)
__global__ void carry_too_early(const float *x, float *y, int rows, int cols) {
  float carry = 0;
  for (int first = 0; first < cols; first += 32) {
    int c = first + threadIdx.x;
    float v = warp_scan(c < cols ? x[blockIdx.x * cols + c] : 0, threadIdx.x);
    carry += __shfl_sync(0xffffffff, v, 31);
    if (c < cols) y[blockIdx.x * cols + c] = carry + v;
  }
}

// Each round begins with what the one before it had, whose beginning is forgotten.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 7, cols = 100) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 32)
__global__ void last_round_only(const float *x, float *y, int rows, int cols) {
  float carry = 0;
  for (int first = 0; first < cols; first += 32) {
    int c = first + threadIdx.x;
    float v = warp_scan(c < cols ? x[blockIdx.x * cols + c] : 0, threadIdx.x);
    if (c < cols) y[blockIdx.x * cols + c] = carry + v;
    carry = __shfl_sync(0xffffffff, v, 31);
  }
}

// Each thread goes on with its own sum, not with that of all.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 7, cols = 100) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 32)
__global__ void carry_of_each(const float *x, float *y, int rows, int cols) {
  float carry = 0;
  for (int first = 0; first < cols; first += 32) {
    int c = first + threadIdx.x;
    float v = warp_scan(c < cols ? x[blockIdx.x * cols + c] : 0, threadIdx.x);
    if (c < cols) y[blockIdx.x * cols + c] = carry + v;
    carry += v;
  }
}

// The totals of the warps leave out the last one.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4, cols = 1000) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 256)
__global__ void a_warp_too_few(const float *x, float *y, int rows, int cols) {
  __shared__ float sums[8];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  float carry = 0.0f;
  for (int base = 0; base < cols; base += 256) {
    int i = base + threadIdx.x;
    float v = warp_scan(i < cols ? x[blockIdx.x * cols + i] : 0.0f, lane);
    if (lane == 31) sums[warp] = v;
    __syncthreads();
    float before = 0.0f, total = 0.0f;
    for (int w = 0; w < 8; ++w) {
      if (w < warp) before += sums[w];
      if (w < 7) total += sums[w];
    }
    if (i < cols) y[blockIdx.x * cols + i] = carry + before + v;
    carry += total;
    __syncthreads();
  }
}

// A sum that threads exchange again in every round is another one each time.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4, cols = 100) in(x[rows * cols]) out(y[rows * 3]) launch(rows, 32)
__global__ void exchanged_again(const float *x, float *y, int rows, int cols) {
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += x[blockIdx.x * cols + c];
  for (int round = 0; round < 3; ++round) {
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
    if (threadIdx.x == 0) y[blockIdx.x * 3 + round] = sum;
  }
}

// The largest of those before; the first has what leaves a maximum as it is.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 300) in(x[rows * 128]) out(y[rows * 128]) launch(rows, 128)
__global__ void largest_before(const float *x, float *y, int rows) {
  __shared__ float sh[128];
  const int t = threadIdx.x;
  float v = x[blockIdx.x * 128 + t];
  sh[t] = v;
  __syncthreads();
  for (int s = 1; s < 128; s *= 2) {
    float o = v;
    if (t >= s) o = fmaxf(v, sh[t - s]);
    __syncthreads();
    v = o;
    sh[t] = v;
    __syncthreads();
  }
  y[blockIdx.x * 128 + t] = t == 0 ? -INFINITY : sh[t - 1];
}

// The first has a number, which the others do not go on from.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 300) in(x[rows * 128]) out(y[rows * 128]) launch(rows, 128)
__global__ void largest_before_or_three(const float *x, float *y, int rows) {
  __shared__ float sh[128];
  const int t = threadIdx.x;
  float v = x[blockIdx.x * 128 + t];
  sh[t] = v;
  __syncthreads();
  for (int s = 1; s < 128; s *= 2) {
    float o = v;
    if (t >= s) o = fmaxf(v, sh[t - s]);
    __syncthreads();
    v = o;
    sh[t] = v;
    __syncthreads();
  }
  y[blockIdx.x * 128 + t] = t == 0 ? 3.0f : sh[t - 1];
}
//= rounds:
//=   for row in 0 .. grid.x  (independent)
//=     float before = 0
//=     for first_t in 0 .. cols  (in order)
//=       before += x[cols * row + first_t]
//=       y[cols * row + first_t] = before
//=   needs block.x == 64: as many threads cooperate
//=   needs x and y apart
//= one_round:
//=   for block in 0 .. grid.x  (independent)
//=     float so_far = 0.0f
//=     for t in 0 .. block.x  (in order)
//=       so_far += x[block * 64 + t]
//=       y[block * 64 + t] = so_far
//=   needs block.x == 64: as many threads cooperate
//=   needs x and y apart
//= too_few_steps:
//=   line 68: what is written here is no sum or maximum over the block
//= exclusive:
//=   for block in 0 .. grid.x  (independent)
//=     float so_far = 0.0f
//=     for t in 0 .. block.x  (in order)
//=       y[block * 64 + t] = so_far
//=       so_far += x[block * 64 + t]
//=   needs block.x == 64: as many threads cooperate
//=   needs x and y apart
//= other_carry:
//=   for row in 0 .. grid.x  (independent)
//=     float before = 0
//=     for first in 0 .. cols step 64  (in order)
//=       float so_far = 0.0f
//=       for t in 0 .. block.x  (in order)
//=         so_far += first + t < cols ? x[row * cols + (first + t)] : 0
//=         if first + t < cols
//=           y[row * cols + (first + t)] = before + so_far
//=       before += z[row * cols + first]
//=   needs block.x == 64: as many threads cooperate
//=   needs x and y apart
//=   needs z and y apart
//= carry_alone:
//=   for row in 0 .. grid.x  (independent)
//=     float before = 0
//=     for first in 0 .. cols step 64  (in order)
//=       float so_far = 0.0f
//=       for t in 0 .. block.x  (in order)
//=         so_far += first + t < cols ? x[row * cols + (first + t)] : 0
//=         if first + t < cols
//=           y[row * cols + (first + t)] = (before + so_far) * before
//=       float total = 0.0f
//=       for t in 0 .. block.x  (reduction)
//=         total += first + t < cols ? x[row * cols + (first + t)] : 0
//=       before += total
//=   needs block.x == 64: as many threads cooperate
//=   needs x and y apart
//= in_place:
//=   line 148: a scan of the threads of a block is written over what it is made of
//= neighbours:
//=   line 158: what is written here is no sum or maximum over the block
//= own_sums:
//=   for block in 0 .. grid.x  (independent)
//=     float v = 0
//=     for t_k in 0 .. 4 * block.x  (reduction)
//=       v += x[256 * block + t_k]
//=     y[block] = v
//=   needs block.x == 64: as many threads cooperate
//=   needs x and y apart
//= warps_in_rounds:
//=   for block in 0 .. grid.x  (independent)
//=     float carry = 0.0f
//=     for base_t in 0 .. cols  (in order)
//=       carry += x[block * cols + base_t]
//=       y[block * cols + base_t] = carry
//=   needs block.x == 256: as many threads cooperate
//=   needs x and y apart
//= warp_from_the_right:
//=   for block_ty in 0 .. rows  (independent)
//=     float offset = 0
//=     for done_t in 0 .. cols  (in order)
//=       offset += x[block_ty * cols + cols - done_t - 1]
//=       y[block_ty * cols + cols - done_t - 1] = offset
//=   needs block.x == 32: as many threads cooperate
//=   needs block.y * grid.x >= rows: the launch has threads for every block_ty
//=   needs x and y apart
//= shared_carry:
//=   for block in 0 .. grid.x  (independent)
//=     float carry = 1
//=     for first_t in 0 .. cols  (in order)
//=       carry *= x[block * cols + first_t]
//=       y[block * cols + first_t] = carry
//=   needs block.x == 64: as many threads cooperate
//=   needs x and y apart
//= carry_too_early:
//=   for block in 0 .. grid.x  (independent)
//=     float carry = 0
//=     for first in 0 .. cols step 32  (in order)
//=       float total = 0.0f
//=       for t in 0 .. block.x  (reduction)
//=         total += first + t < cols ? x[block * cols + (first + t)] : 0
//=       carry += total
//=       float so_far = 0.0f
//=       for t in 0 .. block.x  (in order)
//=         so_far += first + t < cols ? x[block * cols + (first + t)] : 0
//=         if first + t < cols
//=           y[block * cols + (first + t)] = carry + so_far
//=   needs block.x == 32: as many threads cooperate
//=   needs x and y apart
//= last_round_only:
//=   for block in 0 .. grid.x  (independent)
//=     float carry = 0
//=     for first in 0 .. cols step 32  (in order)
//=       float so_far = 0.0f
//=       for t in 0 .. block.x  (in order)
//=         so_far += first + t < cols ? x[block * cols + (first + t)] : 0
//=         if first + t < cols
//=           y[block * cols + (first + t)] = carry + so_far
//=       float total = 0.0f
//=       for t in 0 .. block.x  (reduction)
//=         total += first + t < cols ? x[block * cols + (first + t)] : 0
//=       carry = total
//=   needs block.x == 32: as many threads cooperate
//=   needs x and y apart
//= carry_of_each:
//=   line 277: what threads have of 'carry' is another thing in each round
//= a_warp_too_few:
//=   line 292: what threads have of 'carry' is another thing in each round
//= exchanged_again:
//=   line 314: what threads have of 'sum' is another thing in each round
//= largest_before:
//=   for block in 0 .. grid.x  (independent)
//=     float so_far = -INFINITY
//=     for t in 0 .. block.x  (in order)
//=       y[block * 128 + t] = so_far
//=       so_far = max(so_far, x[block * 128 + t])
//=   needs block.x == 128: as many threads cooperate
//=   needs x and y apart
//= largest_before_or_three:
//=   line 357: what is written here is no sum or maximum over the block
