// SPDX-License-Identifier: Apache-2.0
//
// What loops move evenly, and counters that go on in the next loop.
#include <cuda_runtime.h>

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, depth = 8, width = 32) in(x[rows * depth * width], w[depth * width]) out(y[rows]) launch(1, 64)
__global__ void filter_goes_on(const float *x, const float *w, float *y, int rows, int depth, int width) {
  const int row = threadIdx.x;
  if (row >= rows) return;
  const float *filter = w;
  int at = row * depth * width;
  float sum = 0;
  for (int d = 0; d < depth; ++d)
    for (int k = 0; k < width; ++k) {
      sum += x[at] * *filter;
      ++filter;
      at++;
    }
  y[row] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(nx = 32, ny = 32, nz = 16) in(x[nx * ny * nz]) out(y[nx * ny * nz]) launch(dim3(nx / 16, ny / 16), dim3(16, 16))
__global__ void planes(const float *x, float *y, int nx, int ny, int nz) {
  int at = (blockIdx.y * blockDim.y + threadIdx.y) * nx + blockIdx.x * blockDim.x + threadIdx.x;
  for (int z = 0; z < nz; ++z) {
    y[at] = 2 * x[at];
    at += nx * ny;
  }
}

// By four, then one by one.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 93, rows = 128) in(x[n * rows]) out(y[rows]) launch(1, 128)
__global__ void by_four(const float *x, float *y, int n, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  int k = 0;
  for (; k + 3 < n; k += 4) sum += x[row * n + k] + x[row * n + k + 1] + x[row * n + k + 2] + x[row * n + k + 3];
  for (; k < n; ++k) sum += x[row * n + k];
  y[row] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 93) in(x[n * n]) out(y[n]) launch(1, 128)
__global__ void lower_and_rest(const float *x, float *y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  int k = 0;
  for (; k <= row; ++k) sum += x[row * n + k];
  for (; k < n; ++k) sum += x[k * n + row];
  y[row] = sum;
}

// Four at once, and what is left of them.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1 << 16) in(x[n]) out(y[n]) launch((n / 4 + 255) / 256, 256)
__global__ void four_or_rest(const float *x, float *y, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    const float4 v = *reinterpret_cast<const float4 *>(&x[i]);
    *reinterpret_cast<float4 *>(&y[i]) = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
  } else {
    for (; i < n; ++i) y[i] = 2 * x[i];
  }
}

// None of these is what it looks like.

// The rest is something else.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1 << 16) in(x[n]) out(y[n]) launch((n / 4 + 255) / 256, 256)
__global__ void another_rest(const float *x, float *y, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    for (int k = 0; k < 4; ++k) y[i + k] = 2 * x[i + k];
  } else {
    for (; i < n; ++i) y[i] = 3 * x[i];
  }
}

// Three of four.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1 << 16) in(x[n]) out(y[n]) launch((n / 4 + 255) / 256, 256)
__global__ void three_of_four(const float *x, float *y, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    y[i] = x[i];
    y[i + 1] = x[i + 1];
    y[i + 2] = x[i + 2];
  } else {
    for (; i < n; ++i) y[i] = x[i];
  }
}

// Moves under a condition.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 64, rows = 64) in(x[n * rows], flags[n]) out(y[rows]) launch(1, 64)
__global__ void moves_sometimes(const float *x, const int *flags, float *y, int n, int rows) {
  const int row = threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  int at = row * n;
  for (int k = 0; k < n; ++k) {
    sum += x[at];
    if (flags[k] > 0) at += 1;
  }
  y[row] = sum;
}

// Moves by what changes.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 16, rows = 64) in(x[n * n * rows]) out(y[rows]) launch(1, 64)
__global__ void moves_faster(const float *x, float *y, int n, int rows) {
  const int row = threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  int at = row * n * n;
  for (int k = 0; k < n; ++k) {
    sum += x[at];
    at += k;
  }
  y[row] = sum;
}

// Where the counter is behind its first loop is not known.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 64, rows = 64) in(x[n * rows]) out(y[rows]) launch(1, 64)
__global__ void begins_later(const float *x, float *y, int n, int rows) {
  const int row = threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  int k = 0;
  if (x[row] > 0) k += 3;
  for (; k < n; ++k) sum += x[k * rows + row];
  y[row] = sum;
}
//= filter_goes_on:
//=   for row in 0 .. rows  (independent)
//=     float sum = 0
//=     for d_k in 0 .. depth * width  (reduction)
//=       sum += x[depth * row * width + d_k] * w[d_k]
//=     y[row] = sum
//=   needs width >= 0: a loop that moves something goes forward
//=   needs block.x >= rows: the launch has a thread for every row
//=   needs w and y apart
//=   needs x and y apart
//= planes:
//=   for y_2 in 0 .. grid.y * block.y  (independent)
//=     for i in 0 .. grid.x * block.x  (independent)
//=       for z in 0 .. nz  (independent)
//=         y[i + y_2 * nx + z * (nx * ny)] = 2 * x[i + y_2 * nx + z * (nx * ny)]
//=   needs x and y apart
//= by_four:
//=   for row in 0 .. rows  (independent)
//=     float sum = 0
//=     for k_2 in 0 .. n  (reduction)
//=       sum += x[row * n + k_2]
//=     y[row] = sum
//=   needs n >= 0: 'k' has counted forward
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//=   needs x and y apart
//= lower_and_rest:
//=   for row in 0 .. n  (independent)
//=     float sum = 0
//=     for k_2 in 0 .. row + 1  (reduction)
//=       sum += x[row * n + k_2]
//=     for k_2 in row + 1 .. n  (reduction)
//=       sum += x[k_2 * n + row]
//=     y[row] = sum
//=   needs grid.x * block.x >= n: the launch has a thread for every row
//=   needs x and y apart
//= four_or_rest:
//=   for i_3_i_2 in 0 .. n  (independent)
//=     y[i_3_i_2] = 2 * x[i_3_i_2]
//=   needs 4 * (block.x * grid.x) >= n: the launch has threads for every i_3_i_2
//=   needs x and y apart
//=   needs x to begin at a multiple of 4 elements: so many are accessed at once
//=   needs y to begin at a multiple of 4 elements: so many are accessed at once
//= another_rest:
//=   line 78: threads do not work apart from each other: every iteration writes the same element of 'y'
//= three_of_four:
//=   line 90: threads do not work apart from each other: every iteration writes the same element of 'y'
//= moves_sometimes:
//=   for row in 0 .. rows  (independent)
//=     float sum = 0
//=     int at = row * n
//=     for k in 0 .. n  (in order)
//=       sum += x[at]
//=       if flags[k] > 0
//=         at += 1
//=     y[row] = sum
//=   needs block.x >= rows: the launch has a thread for every row
//=   needs x and y apart
//= moves_faster:
//=   for row in 0 .. rows  (independent)
//=     float sum = 0
//=     int at = row * n * n
//=     for k in 0 .. n  (in order)
//=       sum += x[at]
//=       at += k
//=     y[row] = sum
//=   needs block.x >= rows: the launch has a thread for every row
//=   needs x and y apart
//= begins_later:
//=   line 138: a loop that does not count up to a bound
