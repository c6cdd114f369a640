// SPDX-License-Identifier: Apache-2.0
// Tiles in shared memory are the user's memory, where each element is filled by the thread whose place it is.
#pragma cupilot optimize
#pragma cupilot workload(a) set(m = 64, n = 64, k = 64) in(a[m * k], b[k * n]) out(c[m * n]) launch(dim3(4, 4), dim3(16, 16))
__global__ void tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[16][16], bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0;
  for (int t = 0; t < (k + 15) / 16; ++t) {
    as[threadIdx.y][threadIdx.x] = row < m && t * 16 + threadIdx.x < k ? a[row * k + t * 16 + threadIdx.x] : 0.f;
    bs[threadIdx.y][threadIdx.x] = t * 16 + threadIdx.y < k && col < n ? b[(t * 16 + threadIdx.y) * n + col] : 0.f;
    __syncthreads();
    for (int e = 0; e < 16; ++e) acc += as[threadIdx.y][e] * bs[e][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = acc;
}

// The block is half as high as the tile: what is below was never filled.
#pragma cupilot optimize
#pragma cupilot workload(a) set(m = 64, n = 64, k = 64) in(a[m * k], b[k * n]) out(c[m * n]) launch(dim3(4, 8), dim3(16, 8))
__global__ void half_filled(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[16][16], bs[16][16];
  int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0;
  for (int t = 0; t < k / 16; ++t) {
    as[threadIdx.y][threadIdx.x] = a[row * k + t * 16 + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t * 16 + threadIdx.y) * n + col];
    __syncthreads();
    for (int e = 0; e < 16; ++e) acc += as[threadIdx.y][e] * bs[e][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = acc;
}

// Nobody knows which thread fills the diagonal twice.
#pragma cupilot optimize
#pragma cupilot workload(a) set(m = 64, n = 64, k = 64) in(a[m * k]) out(c[m * n]) launch(dim3(4, 4), dim3(16, 16))
__global__ void diagonal(const float *a, float *c, int m, int n, int k) {
  __shared__ float as[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0;
  for (int t = 0; t < k / 16; ++t) {
    as[threadIdx.x][threadIdx.x] = a[row * k + t * 16 + threadIdx.x];
    __syncthreads();
    for (int e = 0; e < 16; ++e) acc += as[e][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = acc;
}

// The tile is read one place further than it goes.
#pragma cupilot optimize
#pragma cupilot workload(a) set(m = 64, n = 64, k = 64) in(a[m * k]) out(c[m * n]) launch(dim3(4, 4), dim3(16, 16))
__global__ void beyond(const float *a, float *c, int m, int n, int k) {
  __shared__ float as[16][17];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0;
  for (int t = 0; t < k / 16; ++t) {
    as[threadIdx.y][threadIdx.x] = a[row * k + t * 16 + threadIdx.x];
    __syncthreads();
    for (int e = 0; e < 17; ++e) acc += as[threadIdx.y][e];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = acc;
}

// The tiles that a block sums begin at its own row's and end at its own column's.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 69) in(a[n * n], b[n * n]) out(c[n * n]) launch(dim3(5, 5), dim3(16, 16))
__global__ void tiles_of_the_upper_half(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0;
  for (int t = blockIdx.y; t <= blockIdx.x; ++t) {
    int k = t * 16 + threadIdx.x, j = t * 16 + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = row <= k && k < n && row < n ? a[row * n + k] : 0.f;
    bs[threadIdx.y][threadIdx.x] = j <= col && col < n ? b[j * n + col] : 0.f;
    __syncthreads();
    for (int e = 0; e < 16; ++e) acc += as[threadIdx.y][e] * bs[e][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = acc;
}
//= tiles:
//=   for row in 0 .. m  (independent)
//=     for col in 0 .. n  (independent)
//=       float acc = 0
//=       for t_e in 0 .. k  (reduction)
//=         acc += a[k * row + t_e] * b[n * t_e + col]
//=       c[row * n + col] = acc
//=   needs block.y == 16: the kernel counts on this block size
//=   needs block.x == 16: the kernel counts on this block size
//=   needs grid.x * block.x >= n: the launch has a thread for every col
//=   needs grid.y * block.y >= m: the launch has a thread for every row
//=   needs a and c apart
//=   needs b and c apart
//= half_filled:
//=   line 30: 'bs' is read where it is not known to be filled
//= diagonal:
//=   line 44: which thread fills which element of 'as' is not known
//= beyond:
//=   line 62: 'as' is read where it is not known to be filled
//= tiles_of_the_upper_half:
//=   for row in 0 .. n  (independent)
//=     for col in 0 .. n  (independent)
//=       float acc = 0
//=       for t_e in 16 * (row / 16) .. 16 * (col / 16) + 16  (reduction)
//=         acc += (row <= t_e && t_e < n ? a[n * row + t_e] : 0.f) * (t_e <= col ? b[n * t_e + col] : 0.f)
//=       c[row * n + col] = acc
//=   needs block.y == 16: the kernel counts on this block size
//=   needs block.x == 16: the kernel counts on this block size
//=   needs grid.x * block.x >= n: the launch has a thread for every col
//=   needs grid.y * block.y >= n: the launch has a thread for every row
//=   needs a and c apart
//=   needs b and c apart
