// SPDX-License-Identifier: Apache-2.0
//
// Who works and up to where: the first thread or block alone, the first warp, loops that are left where there
// is nothing more to do, numbers from macros, choices that are the larger of two. Kernels that only look so
// are refused.

#define ZERO 0.0f
#define INIT float t = 0.0f;
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols]) out(y[rows]) launch(rows, 128)
__global__ void numbers_of_macros(const float *x, float *y, int rows, int cols) {
  float s = ZERO;
  INIT for (int c = 0; c < cols; ++c) {
    s += x[c];
    t += x[c];
  }
  y[0] = s + t;
}

#pragma cupilot optimize
#pragma cupilot workload set(n = 100) in(x[n])out(y[n]) launch(n, 32)
__global__ void one_of_block(const float *x, float *y, int n) {
  int i = blockIdx.x;
  if (threadIdx.x == 0 && i < n) y[i] = 2 * x[i];
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 100) in(x[n])out(y[n]) launch(1, 1)
__global__ void one_thread(const float *x, float *y, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    for (int i = 0; i < n; ++i) y[i] = 2 * x[i];
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 100) in(x[n])out(y[1]) launch(1, 1)
__global__ void one_thread_sum(const float *x, float *y, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i) s += x[i];
  *y = s;
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 100) in(x[n])out(y[n]) launch(1, 1)
__global__ void one_thread_map(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols]) out(y[rows]) launch(rows, 128)
__global__ void first_warp(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x;
  float s0 = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s0 += x[r * cols + c];
  __shared__ float sh0[4];
  for (int o = 16; o > 0; o >>= 1) s0 = s0 + __shfl_xor_sync(0xffffffff, s0, o);
  if ((threadIdx.x & 31) == 0) sh0[threadIdx.x >> 5] = s0;
  __syncthreads();
  if (threadIdx.x < 32) {
    s0 = threadIdx.x < 4 ? sh0[threadIdx.x] : 0.0f;
    for (int o = 16; o > 0; o >>= 1) s0 = s0 + __shfl_down_sync(0xffffffff, s0, o);
  }
  if (threadIdx.x == 0) y[r] = (s0 + s0);
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols]) out(y[rows]) launch(rows, 128)
__global__ void first_warp_of_blockdim(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x;
  float s0 = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s0 += x[r * cols + c];
  __shared__ float sh0[32];
  for (int o = 16; o > 0; o >>= 1) s0 = s0 + __shfl_xor_sync(0xffffffff, s0, o);
  if ((threadIdx.x & 31) == 0) sh0[threadIdx.x >> 5] = s0;
  __syncthreads();
  if (threadIdx.x < 32) {
    s0 = threadIdx.x < blockDim.x / 32 ? sh0[threadIdx.x] : 0.0f;
    for (int o = 16; o > 0; o >>= 1) s0 = s0 + __shfl_down_sync(0xffffffff, s0, o);
  }
  if (threadIdx.x == 0) y[r] = (s0 + s0);
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols]) out(y[rows]) launch(rows, 128)
__global__ void unsigned_steps(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x;
  int tid = threadIdx.x;
  float s0 = 0.0f;
  for (int c = tid; c < cols; c += 128) s0 = s0 + (1.0f * x[r * cols + c]);
  __shared__ float sh0[128];
  sh0[tid] = s0;
  __syncthreads();
  for (unsigned int s = 128 / 2; s > 0; s /= 2) {
    if (tid < s) sh0[tid] = sh0[tid] + sh0[tid + s];
    __syncthreads();
  }
  if (tid == 0) y[r] = sh0[0];
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols]) out(y[rows]) launch(rows, 32)
__global__ void takes_nan_over(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x;
  float s0 = -1e30f;
  for (int c = threadIdx.x; c < cols; c += 32) s0 = s0 > x[r * cols + c] ? s0 : x[r * cols + c];
  for (int o = 16; o > 0; o >>= 1) s0 = fmaxf(s0, __shfl_xor_sync(0xffffffff, s0, o));
  if (threadIdx.x == 0) y[r] = s0;
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols]) out(y[rows]) launch(rows, 128)
__global__ void tree_of_branches(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x;
  float s0 = -1e30f;
  for (int c = threadIdx.x; c < cols; c += 128) s0 = fmaxf(s0, x[r * cols + c]);
  __shared__ float sh1[128];
  sh1[threadIdx.x] = s0;
  __syncthreads();
  for (int s = 128 / 2; s > 0; s /= 2) {
    if (threadIdx.x < s)
      if (sh1[threadIdx.x + s] > sh1[threadIdx.x]) sh1[threadIdx.x] = sh1[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[r] = sh1[0];
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols]) out(y[rows * cols]) \
    launch((rows + 1) / 2, 128)
__global__ void two_rows(const float *x, float *y, int rows, int cols) {
  int r0 = (blockDim.x * blockIdx.x + threadIdx.x) * 2;
  for (int rj = 0; rj < 2; ++rj) {
    int r = r0 + rj;
    if (r >= rows) break;
    float s = 0.0f;
    for (int c = 0; c < cols; c++) {
      s = s + x[r * cols + c];
      y[r * cols + c] = s;
    }
  }
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols]) out(y[rows * cols]) \
    launch((rows + 1) / 2, 128)
__global__ void four_elements(const float *x, float *y, int rows, int cols) {
  int r0 = (blockDim.x * blockIdx.x + threadIdx.x) * 4;
  for (int rj = 0; rj < 4; ++rj) {
    int r = r0 + rj;
    if (r >= rows * cols) break;
    y[r] = x[r] + 1;
  }
}

#pragma cupilot optimize assume(finite(x))
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols]) out(y[rows]) launch(rows, 32)
__global__ void promised_finite(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x;
  float m = -1e30f;
  for (int c = threadIdx.x; c < cols; c += 32) m = m > x[r * cols + c] ? m : x[r * cols + c];
  for (int o = 16; o > 0; o >>= 1) {
    float other = __shfl_xor_sync(0xffffffff, m, o);
    m = m > other ? m : other;
  }
  if (threadIdx.x == 0) y[r] = m;
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 100) in(x[n])out(y[n]) launch(n, 32)
__global__ void another_than_the_first(const float *x, float *y, int n) {
  int i = blockIdx.x;
  if (threadIdx.x == 1 && i < n) y[i] = 2 * x[i];
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols]) out(y[rows]) launch(1, 128)
__global__ void leaves_where_it_shrinks(const float *x, float *y, int rows, int cols) {
  for (int j = 0; j < 4; ++j) {
    int r = 3 - j + threadIdx.x * 4;
    if (r >= rows) break;
    y[r] = x[r * cols];
  }
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174, step = 1) in(x[rows * cols]) out(y[rows]) launch(1, 128)
__global__ void leaves_by_a_step(const float *x, float *y, int rows, int cols, int step) {
  for (int j = 0; j < 4; ++j) {
    int r = threadIdx.x * 4 + j * step;
    if (r >= rows) break;
    y[r] = x[r * cols];
  }
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols]) out(y[rows]) launch(1, 128)
__global__ void leaves_after_work(const float *x, float *y, int rows, int cols) {
  float s = 0;
  for (int j = 0; j < 4; ++j) {
    int r = threadIdx.x * 4 + j;
    s += 1;
    if (r >= rows) break;
    y[r] = s * x[r * cols];
  }
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 597) in(x[n])inout(out[1]) launch(19, 32)
__global__ void constant_of_some(const double *x, double *out, int n) {
  double s = 0.0;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s = 3.0;
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o);
  if (threadIdx.x == 0) atomicAdd(out, s);
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 597) in(x[n * 32]) out(out[20]) launch(19, 32)
__global__ void counts_of_threads(const float *x, float *out, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    if (x[i * 32 + threadIdx.x] > 0) s += 1;
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o);
  if (threadIdx.x == 0) out[blockIdx.x] = s;
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 597) in(x[n])out(out[20]) launch(19, 32)
__global__ void triangle_of_threads(const float *x, float *out, int n) {
  float s = 0;
  for (int i = 0; i < threadIdx.x; ++i) s += x[i];
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o);
  if (threadIdx.x == 0) out[blockIdx.x] = s;
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 597) in(x[n])out(out[20]) launch(19, 32)
__global__ void ends_of_threads(const float *x, float *out, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n - threadIdx.x; i += blockDim.x) s += x[i];
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o);
  if (threadIdx.x == 0) out[blockIdx.x] = s;
}

#pragma cupilot optimize
#pragma cupilot workload set(n = 597) in(x[n], at[n])out(y[n]) launch(19, 32)
__global__ void scatter(const float *x, const int *at, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int r = at[i];
    y[r] = x[i];
  }
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 597) in(x[n])out(y[n]) launch(19, 32)
__global__ void halves(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int k = 0; k < 2; ++k) y[i / 2 + k] = x[i];
  }
}
#pragma cupilot optimize
#pragma cupilot workload set(m = 4, n = 597) in(x[n])out(y[n]) launch(19, 32)
__global__ void flat(const float *x, float *y, int n, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= m * n) return;
  int i = t / n, j = t % n;
  y[i * n + j] = x[i];
}
#pragma cupilot optimize
#pragma cupilot workload set(m = 4, n = 597) in(x[n])out(y[n]) launch(19, 32)
__global__ void flat_t(const float *x, float *y, int n, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= m * n) return;
  int i = t / n, j = t % n;
  y[j * m + i] = x[i];
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 597) in(x[n])out(y[n]) launch(1, 1)
__global__ void windows_of_one(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) y[i + k] = x[i] * k;
  }
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 597) in(x[n])out(y[n]) launch(1, 1)
__global__ void fours_of_one(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 4; ++k) y[i * 4 + k] = x[i] * k;
  }
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 597) in(x[n])out(y[n]) launch(1, 1)
__global__ void neighbours_of_one(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = x[i];
    y[i + 1] = x[i] * 2;
  }
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 597) in(x[n])out(y[n]) launch(1, 1)
__global__ void pairs_of_one(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) {
    y[2 * i] = x[i];
    y[2 * i + 1] = x[i] * 2;
  }
}

// A macro that exchanges twice.
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols]) out(y[rows]) launch(rows, 32)
__global__ void larger_of_shuffles(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x;
  float m = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += 32) m = fmaxf(m, x[r * cols + c]);
  for (int o = 16; o > 0; o >>= 1) m = LARGER(m, __shfl_xor_sync(0xffffffff, m, o));
  if (threadIdx.x == 0) y[r] = m;
}
// loses it again: write fmax or fmin, or promise assume(finite(...)) of what is read = tree_of_branches: =
// for r in 0 .. grid.x  (independent) =     float s0 = -1e30f =     for c in 0 .. cols  (reduction) = s0 =
// max(s0, x[r * cols + c]) =     y[r] = s0 =   needs block.x == 128: as many threads cooperate =   needs x
// and y apart = two_rows: =   for i_rj in 0 .. rows  (independent) =     float s = 0.0f =     for c in 0 ..
// cols (in order) =       s += x[cols * i_rj + c] =       y[cols * i_rj + c] = s =   needs 2 * (block.x *
// grid.x)
//>= rows: the launch has threads for every i_rj =   needs x and y apart = four_elements: =   for i_rj in 0 ..
// rows * cols  (independent) =     y[i_rj] = x[i_rj] + 1 =   needs 4 * (block.x * grid.x) >= rows * cols: the
// launch has threads for every i_rj =   needs x and y apart = another_than_the_first: =   line 161: threads
// do not work apart from each other: every iteration writes the same element of 'y' =
// leaves_where_it_shrinks: = line 168: a loop is left early = leaves_by_a_step: =   line 177: a loop is left
// early = leaves_after_work:

// Segments that threads write, and that one thread writes one after the other.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols], at[rows + 1]) out(y[rows * cols]) \
    fill(at = iota) launch(dim3((cols + 31) / 32, rows), 32)
__global__ void segments_of_blocks(const float *x, const int *at, float *y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (at[r] + c < at[r + 1]) y[at[r] + c] = x[r * cols + c];
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 6, cols = 174) in(x[rows * cols], at[rows + 1]) out(y[rows * cols]) \
    fill(at = iota) launch(1, 1)
__global__ void segments_of_one(const float *x, const int *at, float *y, int rows, int cols) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) y[at[r] + c] = x[r * cols + c];
}
// loses it again: write fmax or fmin, or promise assume(finite(...)) of what is read = tree_of_branches: =
// for r in 0 .. grid.x  (independent) =     float s0 = -1e30f =     for c in 0 .. cols  (reduction) = s0 =
// max(s0, x[r * cols + c]) =     y[r] = s0 =   needs block.x == 128: as many threads cooperate =   needs x
// and y apart = two_rows: =   for i_rj in 0 .. rows  (independent) =     float s = 0.0f =     for c in 0 ..
// cols (in order) =       s += x[cols * i_rj + c] =       y[cols * i_rj + c] = s =   needs 2 * (block.x *
// grid.x)
//>= rows: the launch has threads for every i_rj =   needs x and y apart = four_elements: =   for i_rj in 0 ..
// rows * cols  (independent) =     y[i_rj] = x[i_rj] + 1 =   needs 4 * (block.x * grid.x) >= rows * cols: the
// launch has threads for every i_rj =   needs x and y apart = another_than_the_first: =   line 161: threads
// do not work apart from each other: every iteration writes the same element of 'y' =
// leaves_where_it_shrinks: = line 168: a loop is left early = leaves_by_a_step: =   line 177: a loop is left
// early = leaves_after_work:

// Nothing is promised of what may be written as well.
#pragma cupilot optimize
#pragma cupilot workload set(n = 174) in(x[n])out(y[1]) launch(1, 1)
__global__ void nothing_promised(float *x, float *y, int n) {
  float m = -INFINITY;
  for (int i = 0; i < n; ++i) m = m > x[i] ? m : x[i];
  *y = m;
}
// loses it again: write fmax or fmin, or promise assume(finite(...)) of what is read = tree_of_branches: =
// for r in 0 .. grid.x  (independent) =     float s0 = -1e30f =     for c in 0 .. cols  (reduction) = s0 =
// max(s0, x[r * cols + c]) =     y[r] = s0 =   needs block.x == 128: as many threads cooperate =   needs x
// and y apart = two_rows: =   for i_rj in 0 .. rows  (independent) =     float s = 0.0f =     for c in 0 ..
// cols (in order) =       s += x[cols * i_rj + c] =       y[cols * i_rj + c] = s =   needs 2 * (block.x *
//grid.x)
//>= rows: the launch has threads for every i_rj =   needs x and y apart = four_elements: =   for i_rj in 0 ..
// rows * cols  (independent) =     y[i_rj] = x[i_rj] + 1 =   needs 4 * (block.x * grid.x) >= rows * cols: the
// launch has threads for every i_rj =   needs x and y apart = another_than_the_first: =   line 161: threads
// do not work apart from each other: every iteration writes the same element of 'y' =
// leaves_where_it_shrinks: = line 168: a loop is left early = leaves_by_a_step: =   line 177: a loop is left
// early = leaves_after_work:

// Digits that are what is left without those below.
#pragma cupilot optimize
#pragma cupilot workload set(b = 3, n = 5, m = 7) in(x[b * n * m], w[n]) out(y[b * n * m]) launch(2, 64)
__global__ void what_is_left(const float *x, const float *w, float *y, int b, int n, int m) {
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < b * n * m; t += blockDim.x * gridDim.x) {
    int k = t % m;
    int j = (t - k) / m % n;
    int i = (t - m * j - k) / (n * m);
    y[n * m * i + m * j + k] = x[(j * b + i) * m + k] * w[j];
  }
}
#pragma cupilot optimize
#pragma cupilot workload set(b = 3, n = 5, m = 7) in(x[b * n * m], w[n]) out(y[b * n * m]) launch(2, 64)
__global__ void not_what_is_left(const float *x, const float *w, float *y, int b, int n, int m) {
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < b * n * m; t += blockDim.x * gridDim.x) {
    int k = t % m;
    int j = (t - k) / m % n;
    int i = (t - n * j - k) / (n * m);
    y[n * m * i + m * j + k] = x[(j * b + i) * m + k] * w[j];
  }
}
//loses it again: write fmax or fmin, or promise assume(finite(...)) of what is read = tree_of_branches: = for
//r in 0 .. grid.x  (independent) =     float s0 = -1e30f =     for c in 0 .. cols  (reduction) =       s0 =
//max(s0, x[r * cols + c]) =     y[r] = s0 =   needs block.x == 128: as many threads cooperate =   needs x and
//y apart = two_rows: =   for i_rj in 0 .. rows  (independent) =     float s = 0.0f =     for c in 0 .. cols
//(in order) =       s += x[cols * i_rj + c] =       y[cols * i_rj + c] = s =   needs 2 * (block.x * grid.x)
//>= rows: the launch has threads for every i_rj =   needs x and y apart = four_elements: =   for i_rj in 0 ..
//rows * cols  (independent) =     y[i_rj] = x[i_rj] + 1 =   needs 4 * (block.x * grid.x) >= rows * cols: the
//launch has threads for every i_rj =   needs x and y apart = promised_finite: =   for r in 0 .. grid.x
//(independent) =     float m = -1e30f =     for c in 0 .. cols  (reduction) =       m = max(m, x[r * cols +
//c]) =     y[r] = m =   needs block.x == 32: as many threads cooperate =   needs x and y apart =
//another_than_the_first: =   line 160: threads do not work apart from each other: every iteration writes the
//same element of 'y' = leaves_where_it_shrinks: =   line 167: a loop is left early = leaves_by_a_step: = line
//176: a loop is left early = leaves_after_work: =   line 187: a loop is left early = constant_of_some: =
//double total = 0.0 =   for block_t in 0 .. n  (reduction) =     total += 3.0 =   out[0] += total  (many may)
//= numbers_of_macros:
//=   float s = 0.0f
//=   float t = 0.0f
//=   for c in 0 .. cols  (reduction)
//=     s += x[c]
//=     t += x[c]
//=   y[0] = s + t
//=   needs x and y apart
//= one_of_block:
//=   for i in 0 .. n  (independent)
//=     y[i] = 2 * x[i]
//=   needs grid.x >= n: the launch has a block for every i
//=   needs x and y apart
//= one_thread:
//=   for i in 0 .. n  (independent)
//=     y[i] = 2 * x[i]
//=   needs x and y apart
//= one_thread_sum:
//=   float s = 0
//=   for i in 0 .. n  (reduction)
//=     s += x[i]
//=   y[0] = s
//=   needs x and y apart
//= one_thread_map:
//=   for i in 0 .. n  (independent)
//=     y[i] = 2 * x[i]
//=   needs x and y apart
//= first_warp:
//=   for r in 0 .. grid.x  (independent)
//=     float s0 = 0.0f
//=     for c in 0 .. cols  (reduction)
//=       s0 += x[r * cols + c]
//=     y[r] = s0 + s0
//=   needs block.x == 128: as many threads cooperate
//=   needs x and y apart
//= first_warp_of_blockdim:
//=   for r in 0 .. grid.x  (independent)
//=     float s0 = 0.0f
//=     for c in 0 .. cols  (reduction)
//=       s0 += x[r * cols + c]
//=     y[r] = s0 + s0
//=   needs block.x == 128: as many threads cooperate
//=   needs x and y apart
//= unsigned_steps:
//=   for r in 0 .. grid.x  (independent)
//=     float s0 = 0.0f
//=     for c in 0 .. cols  (reduction)
//=       s0 += 1.0f * x[r * cols + c]
//=     y[r] = s0
//=   needs block.x == 128: as many threads cooperate
//=   needs x and y apart
//= takes_nan_over:
//=   line 97: the iterations of this loop, which threads share, need each other: 's0' takes NaN over and loses it again: write fmax or fmin, or promise assume(finite(...)) of what is read
//= tree_of_branches:
//=   for r in 0 .. grid.x  (independent)
//=     float s0 = -1e30f
//=     for c in 0 .. cols  (reduction)
//=       s0 = max(s0, x[r * cols + c])
//=     y[r] = s0
//=   needs block.x == 128: as many threads cooperate
//=   needs x and y apart
//= two_rows:
//=   for i_rj in 0 .. rows  (independent)
//=     float s = 0.0f
//=     for c in 0 .. cols  (in order)
//=       s += x[cols * i_rj + c]
//=       y[cols * i_rj + c] = s
//=   needs 2 * (block.x * grid.x) >= rows: the launch has threads for every i_rj
//=   needs x and y apart
//= four_elements:
//=   for i_rj in 0 .. rows * cols  (independent)
//=     y[i_rj] = x[i_rj] + 1
//=   needs 4 * (block.x * grid.x) >= rows * cols: the launch has threads for every i_rj
//=   needs x and y apart
//= promised_finite:
//=   for r in 0 .. grid.x  (independent)
//=     float m = -1e30f
//=     for c in 0 .. cols  (reduction)
//=       m = max(m, x[r * cols + c])
//=     y[r] = m
//=   needs block.x == 32: as many threads cooperate
//=   needs x and y apart
//= another_than_the_first:
//=   line 160: threads do not work apart from each other: every iteration writes the same element of 'y'
//= leaves_where_it_shrinks:
//=   line 167: a loop is left early
//= leaves_by_a_step:
//=   line 176: a loop is left early
//= leaves_after_work:
//=   line 187: a loop is left early
//= constant_of_some:
//=   double total = 0.0
//=   for block_t in 0 .. n  (reduction)
//=     total += 3.0
//=   out[0] += total  (many may)
//=   needs block.x == 32: as many threads cooperate
//=   needs block.x * grid.x >= n: no element is left out
//= counts_of_threads:
//=   for block in 0 .. grid.x  (independent)
//=     float s = 0
//=     for i in 0 .. n  (reduction)
//=       for t in 0 .. block.x  (reduction)
//=         if x[i * 32 + t] > 0
//=           s += 1
//=     out[block] = s
//=   needs block.x == 32: as many threads cooperate
//=   needs x and out apart
//= triangle_of_threads:
//=   line 215: what is written here is no sum or maximum over the block
//= ends_of_threads:
//=   line 221: where this loop, which threads share, ends is not the same for all of them
//= scatter:
//=   line 231: threads do not work apart from each other: every iteration writes the same element of 'y'
//= halves:
//=   line 240: threads do not work apart from each other: iterations may write the same element of 'y'
//= flat:
//=   for t0 in 0 .. m  (independent)
//=     for t1 in 0 .. n  (independent)
//=       y[t0 * n + t1] = x[t0]
//=   needs grid.x * block.x >= m * n: the launch has a thread for every t
//=   needs x and y apart
//= flat_t:
//=   for t0 in 0 .. m  (independent)
//=     for t1 in 0 .. n  (independent)
//=       y[t1 * m + t0] = x[t0]
//=   needs grid.x * block.x >= m * n: the launch has a thread for every t
//=   needs x and y apart
//= windows_of_one:
//=   for i in 0 .. n  (in order)
//=     for k in 0 .. 3  (independent)
//=       y[i + k] = x[i] * k
//=   needs x and y apart
//= fours_of_one:
//=   for i in 0 .. n  (independent)
//=     for k in 0 .. 4  (independent)
//=       y[i * 4 + k] = x[i] * k
//=   needs x and y apart
//= neighbours_of_one:
//=   for i in 0 .. n  (in order)
//=     y[i] = x[i]
//=     y[i + 1] = x[i] * 2
//=   needs x and y apart
//= pairs_of_one:
//=   for i in 0 .. n  (independent)
//=     y[2 * i] = x[i]
//=     y[2 * i + 1] = x[i] * 2
//=   needs x and y apart
//= larger_of_shuffles:
//=   for r in 0 .. grid.x  (independent)
//=     float m = -INFINITY
//=     for c in 0 .. cols  (reduction)
//=       m = max(m, x[r * cols + c])
//=     y[r] = m
//=   needs block.x == 32: as many threads cooperate
//=   needs x and y apart
//= segments_of_blocks:
//=   for r in 0 .. grid.y  (independent)
//=     for c in 0 .. grid.x * block.x  (independent)
//=       if at[r] + c < at[r + 1]
//=         y[at[r] + c] = x[r * cols + c]
//=   needs x and y apart
//= segments_of_one:
//=   for r in 0 .. rows  (in order)
//=     for c in 0 .. cols  (independent)
//=       y[at[r] + c] = x[r * cols + c]
//=   needs x and y apart
//= nothing_promised:
//=   float m = -INFINITY
//=   for i in 0 .. n  (in order)
//=     m = m > x[i] ? m : x[i]
//=   y[0] = m
//=   needs x and y apart
//= what_is_left:
//=   for t0 in 0 .. b  (independent)
//=     for t1 in 0 .. n  (independent)
//=       for t2 in 0 .. m  (independent)
//=         y[n * m * t0 + m * t1 + t2] = x[(t1 * b + t0) * m + t2] * w[t1]
//=   needs w and y apart
//=   needs x and y apart
//= not_what_is_left:
//=   line 377: the iterations of this loop, which threads share, need each other: iterations may write the same element of 'y'
