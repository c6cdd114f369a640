// SPDX-License-Identifier: Apache-2.0
// Scans that the threads of a block make together.

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
//=   line 60: what is written here is no sum or maximum over the block
//= exclusive:
//=   line 77: what is written here is no sum or maximum over the block
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
//=   line 140: a scan of the threads of a block is written over what it is made of
//= neighbours:
//=   line 150: what is written here is no sum or maximum over the block
//= own_sums:
//=   line 167: what is written here is no sum or maximum over the block
