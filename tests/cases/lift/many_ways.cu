// SPDX-License-Identifier: Apache-2.0
//
// Blocks of several sizes, blocks that have their threads the other way round, tables, choices, switches, and functions
// that change what they are given.
#include <cuda_runtime.h>

// A sum is the same whatever number of threads makes it.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 512, cols = 4096) in(x[rows * cols]) out(y[rows]) launch(rows, 256, 1024)
#pragma cupilot workload(b) set(rows = 512, cols = 100) in(x[rows * cols]) out(y[rows]) launch(rows, 64, 256)
__global__ void any_block(const float *x, float *y, int rows, int cols) {
  extern __shared__ float part[];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += x[blockIdx.x * cols + c];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}

// With 96 threads the tree leaves some out.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 512, cols = 4096) in(x[rows * cols]) out(y[rows]) launch(rows, 256, 1024)
#pragma cupilot workload(b) set(rows = 512, cols = 100) in(x[rows * cols]) out(y[rows]) launch(rows, 96, 384)
__global__ void not_any_block(const float *x, float *y, int rows, int cols) {
  extern __shared__ float part[];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += x[blockIdx.x * cols + c];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}

// Columns of a by blocks along x, and by threads along y.
#pragma cupilot optimize
#pragma cupilot workload(a) set(m = 64, n = 48, k = 32) in(a[k * m], b[k * n]) out(c[m * n]) launch(dim3(m / 16, n / 16), dim3(16, 16))
__global__ void other_way_round(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[16][17], bs[16][17];
  const int m0 = blockIdx.x * 16, n0 = blockIdx.y * 16, tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int k0 = 0; k0 < k; k0 += 16) {
    as[ty][tx] = k0 + ty < k && m0 + tx < m ? a[(k0 + ty) * m + m0 + tx] : 0.f;
    bs[ty][tx] = k0 + ty < k && n0 + tx < n ? b[(k0 + ty) * n + n0 + tx] : 0.f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[i][ty] * bs[i][tx];
    __syncthreads();
  }
  if (m0 + ty < m && n0 + tx < n) c[(m0 + ty) * n + n0 + tx] = sum;
}

// No square: only half of the columns is done, twice.
#pragma cupilot optimize
#pragma cupilot workload(a) set(m = 64, n = 48, k = 32) in(a[k * m], b[k * n]) out(c[m * n]) launch(dim3(m / 16, n / 16), dim3(16, 8))
__global__ void no_square(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[8][17], bs[8][17];
  const int m0 = blockIdx.x * 16, n0 = blockIdx.y * 16, tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int k0 = 0; k0 < k; k0 += 8) {
    as[ty][tx] = k0 + ty < k && m0 + tx < m ? a[(k0 + ty) * m + m0 + tx] : 0.f;
    bs[ty][tx] = k0 + ty < k && n0 + tx < n ? b[(k0 + ty) * n + n0 + tx] : 0.f;
    __syncthreads();
    for (int i = 0; i < 8; ++i) sum += as[i][ty] * bs[i][tx];
    __syncthreads();
  }
  if (m0 + ty < m && n0 + tx < n) c[(m0 + ty) * n + n0 + tx] = sum;
}

// A small tile that the first threads of a block fill, and what they have at hand.
#pragma cupilot optimize
#pragma cupilot workload(a) set(h = 64, w = 64, channels = 3) in(x[channels * h * w], f[channels * 9]) out(y[h * w]) launch(dim3(w / 16, h / 16), dim3(16, 16))
__global__ void small_tile(const float *x, const float *f, float *y, int h, int w, int channels) {
  __shared__ float filter[3][3];
  const int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int c = 0; c < channels; ++c) {
    if (ty < 3 && tx < 3) filter[ty][tx] = f[(c * 3 + ty) * 3 + tx];
    __syncthreads();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (row + i < h && col + j < w) sum += x[(c * h + row + i) * w + col + j] * filter[i][j];
    __syncthreads();
  }
  if (row < h && col < w) y[row * w + col] = sum;
}

// Of these only the first row is filled.
#pragma cupilot optimize
#pragma cupilot workload(a) set(h = 64, w = 64) in(x[h * w], f[9]) out(y[h * w]) launch(dim3(w / 16, h / 16), dim3(16, 16))
__global__ void part_of_tile(const float *x, const float *f, float *y, int h, int w) {
  __shared__ float filter[3][3];
  const int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int c = 0; c < 1; ++c) {
    if (ty < 1 && tx < 3) filter[ty][tx] = f[ty * 3 + tx];
    __syncthreads();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) sum += x[row * w + col] * filter[i][j];
    __syncthreads();
  }
  y[row * w + col] = sum;
}

__device__ void bounce(float *at, float *speed, float end) {
  if (*at > end) {
    *at = 2 * end - *at;
    *speed = -*speed;
  }
}

__device__ void both(float x, float &twice, float &half) {
  twice = 2 * x;
  half = x / 2;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 4096) in(x[n], kind[n]) out(twice[n], half[n], y[n]) launch(n / 256, 256)
__global__ void changes_arguments(const float *x, const int *kind, float *twice, float *half, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  both(x[i], twice[i], half[i]);
  float at = x[i], speed = 1, s, c;
  bounce(&at, &speed, 3.f);
  sincosf(at, &s, &c);
  switch (kind[i]) {
    case 0:
      speed = s;
      break;
    case 1:
    case 2:
      speed = c;
      break;
    default:
      speed = s + c;
      break;
  }
  const float weights[3] = {0.25f, 0.5f, 0.25f};
  float sum = 0;
  for (int k = 0; k < 3; ++k) sum += weights[k] * speed;
  y[i] = sum + at;
}

// Falls through.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 4096) in(x[n], kind[n]) out(y[n]) launch(n / 256, 256)
__global__ void falls_through(const float *x, const int *kind, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = x[i];
  switch (kind[i]) {
    case 0:
      sum += 1;
    case 1:
      sum += 2;
      break;
    default:
      break;
  }
  y[i] = sum;
}
//= any_block:
//=   for block in 0 .. grid.x  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       sum += x[block * cols + c]
//=     y[block] = sum
//=   needs block.x == 64 || block.x == 256: as many threads cooperate as in one of the workloads
//=   needs x and y apart
//= not_any_block:
//=   line 38: what is written here is no sum or maximum over the block
//= other_way_round:
//=   for y in 0 .. n  (independent)
//=     for i_2 in 0 .. m  (independent)
//=       float sum = 0
//=       for k0_i in 0 .. k  (reduction)
//=         sum += a[k0_i * m + i_2] * b[k0_i * n + y]
//=       c[i_2 * n + y] = sum
//=   needs block.y == 16: as many threads fill 'as'
//=   needs block.x == 16: as many threads fill 'as'
//=   needs grid.x * block.x >= m: the launch has a thread for every i_2
//=   needs grid.y * block.y >= n: the launch has a thread for every y
//=   needs a and c apart
//=   needs b and c apart
//= no_square:
//=   line 65: each thread of a block has a result of its own, and nobody puts them together
//= small_tile:
//=   for y_2 in 0 .. h  (independent)
//=     for i_2 in 0 .. w  (independent)
//=       float sum = 0
//=       for c in 0 .. channels  (reduction)
//=         for i in 0 .. 3  (reduction)
//=           for j in 0 .. 3  (reduction)
//=             if y_2 + i < h && i_2 + j < w
//=               sum += x[c * h * w + y_2 * w + i * w + i_2 + j] * f[(c * 3 + i) * 3 + j]
//=       y[y_2 * w + i_2] = sum
//=   needs block.y == 16: as many threads fill 'filter'
//=   needs block.x == 16: as many threads fill 'filter'
//=   needs grid.x * block.x >= w: the launch has a thread for every i_2
//=   needs grid.y * block.y >= h: the launch has a thread for every y_2
//=   needs f and y apart
//=   needs x and y apart
//= part_of_tile:
//=   line 104: 'filter' is read where it is not known to be filled
//= changes_arguments:
//=   for i in 0 .. n  (independent)
//=     float x_2 = x[i]
//=     twice[i] = 2 * x_2
//=     half[i] = x_2 / 2
//=     float at = x[i]
//=     float speed = 1
//=     float end = 3.f
//=     if at > end
//=       at = 2 * end - at
//=       speed = -speed
//=     float angle = at
//=     float s_2 = sinf(angle)
//=     float c_2 = cosf(angle)
//=     int chosen = kind[i]
//=     if chosen == 0
//=       speed = s_2
//=     else
//=       if chosen == 1 || chosen == 2
//=         speed = c_2
//=       else
//=         speed = s_2 + c_2
//=     float sum = 0
//=     for k in 0 .. 3  (reduction)
//=       sum += (k == 0 ? 0.25f : k == 1 ? 0.5f : 0.25f) * speed
//=     y[i] = sum + at
//=   needs grid.x * block.x >= n: the launch has a thread for every i
//=   needs x and half apart
//=   needs half and twice apart
//=   needs x and twice apart
//=   needs half and y apart
//=   needs twice and y apart
//=   needs x and y apart
//= falls_through:
//=   line 156: a statement of a kind that is not known here
