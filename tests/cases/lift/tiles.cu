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

// A tile as long as the windows of a block are: sizes say that all of it that is read is filled.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 8, n = 1000, out = 994, k = 7, step = 1) in(x[rows * n]) out(y[rows * out]) launch(dim3((out + 127) / 128, rows), 128, (127 * step + k) * 4)
__global__ void window_of_sizes(const float *x, float *y, int rows, int n, int out, int k, int step) {
  extern __shared__ float span[];
  const int first = blockIdx.x * 128;
  for (int i = threadIdx.x; i < 127 * step + k; i += 128) {
    const int at = first * step + i;
    span[i] = at < n ? x[blockIdx.y * n + at] : 0.0f;
  }
  __syncthreads();
  if (first + threadIdx.x >= out) return;
  float sum = 0;
  for (int j = 0; j < k; ++j) sum += span[threadIdx.x * step + j];
  y[blockIdx.y * out + first + threadIdx.x] = sum;
}
// The same from the end of each window.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 8, n = 1000, out = 994, k = 7, step = 1) in(x[rows * n]) out(y[rows * out]) launch(dim3((out + 127) / 128, rows), 128, (127 * step + k) * 4)
__global__ void window_backwards(const float *x, float *y, int rows, int n, int out, int k, int step) {
  extern __shared__ float span[];
  const int first = blockIdx.x * 128;
  for (int i = threadIdx.x; i < 127 * step + k; i += 128) {
    const int at = first * step + i;
    span[i] = at < n ? x[blockIdx.y * n + at] : 0.0f;
  }
  __syncthreads();
  if (first + threadIdx.x >= out) return;
  float sum = 0;
  for (int j = 0; j < k; ++j) sum += span[threadIdx.x * step + k - 1 - j];
  y[blockIdx.y * out + first + threadIdx.x] = sum;
}
// The last element of the last window is not there.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 8, n = 1000, out = 994, k = 7, step = 1) in(x[rows * n]) out(y[rows * out]) launch(dim3((out + 127) / 128, rows), 128, (127 * step + k) * 4)
__global__ void reads_one_beyond(const float *x, float *y, int rows, int n, int out, int k, int step) {
  extern __shared__ float span[];
  const int first = blockIdx.x * 128;
  for (int i = threadIdx.x; i < 127 * step + k; i += 128) {
    const int at = first * step + i;
    span[i] = at < n ? x[blockIdx.y * n + at] : 0.0f;
  }
  __syncthreads();
  if (first + threadIdx.x >= out) return;
  float sum = 0;
  for (int j = 0; j <= k; ++j) sum += span[threadIdx.x * step + j];
  y[blockIdx.y * out + first + threadIdx.x] = sum;
}
// Nor is what lies before the tile.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 8, n = 1000, out = 994, k = 7, step = 1) in(x[rows * n]) out(y[rows * out]) launch(dim3((out + 127) / 128, rows), 128, (127 * step + k) * 4)
__global__ void reads_before(const float *x, float *y, int rows, int n, int out, int k, int step) {
  extern __shared__ float span[];
  const int first = blockIdx.x * 128;
  for (int i = threadIdx.x; i < 127 * step + k; i += 128) {
    const int at = first * step + i;
    span[i] = at < n ? x[blockIdx.y * n + at] : 0.0f;
  }
  __syncthreads();
  if (first + threadIdx.x >= out) return;
  float sum = 0;
  for (int j = 0; j < k; ++j) sum += span[threadIdx.x * step + j - 1];
  y[blockIdx.y * out + first + threadIdx.x] = sum;
}
// The tile is filled for windows that lie closer.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 8, n = 1000, out = 994, k = 7, step = 1) in(x[rows * n]) out(y[rows * out]) launch(dim3((out + 127) / 128, rows), 128, (127 * step + k) * 4)
__global__ void fills_too_little(const float *x, float *y, int rows, int n, int out, int k, int step) {
  extern __shared__ float span[];
  const int first = blockIdx.x * 128;
  for (int i = threadIdx.x; i < 127 + k - 1; i += 128) {
    const int at = first * step + i;
    span[i] = at < n ? x[blockIdx.y * n + at] : 0.0f;
  }
  __syncthreads();
  if (first + threadIdx.x >= out) return;
  float sum = 0;
  for (int j = 0; j < k; ++j) sum += span[threadIdx.x * step + j];
  y[blockIdx.y * out + first + threadIdx.x] = sum;
}

// From as far before an element as behind it.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000, radius = 3) in(x[n], w[2 * radius + 1]) out(y[n]) launch((n + 127) / 128, 128, (128 + 2 * radius) * 4)
__global__ void window_around(const float *x, const float *w, float *y, int n, int radius) {
  extern __shared__ float around[];
  const int first = blockIdx.x * blockDim.x;
  for (int i = threadIdx.x; i < blockDim.x + 2 * radius; i += blockDim.x)
    around[i] = x[min(max(first + i - radius, 0), n - 1)];
  __syncthreads();
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (int j = -radius; j <= radius; ++j) sum += w[radius + j] * around[threadIdx.x + radius + j];
  y[first + threadIdx.x] = sum;
}

// It begins one before what is filled.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000, radius = 3) in(x[n], w[2 * radius + 1]) out(y[n]) launch((n + 127) / 128, 128, (128 + 2 * radius) * 4)
__global__ void from_too_far(const float *x, const float *w, float *y, int n, int radius) {
  extern __shared__ float around[];
  const int first = blockIdx.x * blockDim.x;
  for (int i = threadIdx.x; i < blockDim.x + 2 * radius; i += blockDim.x)
    around[i] = x[min(max(first + i - radius, 0), n - 1)];
  __syncthreads();
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (int j = -radius - 1; j <= radius; ++j) sum += w[radius + j] * around[threadIdx.x + radius + j];
  y[first + threadIdx.x] = sum;
}

// A product with what may be below zero.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000, radius = 3, m = 2) in(x[n], w[2 * radius + 1]) out(y[n]) launch((n + 127) / 128, 128, (128 + 4 * radius) * 4)
__global__ void times_below_zero(const float *x, const float *w, float *y, int n, int radius, int m) {
  extern __shared__ float around[];
  const int first = blockIdx.x * blockDim.x;
  for (int i = threadIdx.x; i < blockDim.x + m * radius; i += blockDim.x) around[i] = x[min(first + i, n - 1)];
  __syncthreads();
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (int k = 0; k < 2; ++k)
    for (int j = -radius; j <= radius; ++j) sum += w[radius + j] * around[threadIdx.x + k * j];
  y[first + threadIdx.x] = sum;
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
//= window_of_sizes:
//=   for block_y in 0 .. grid.y  (independent)
//=     for i in 0 .. out  (independent)
//=       float sum = 0
//=       for j in 0 .. k  (reduction)
//=         sum += i * step + j < n ? x[block_y * n + i * step + j] : 0.0f
//=       y[block_y * out + i] = sum
//=   needs step >= 0: what is read of a tile is filled
//=   needs block.x == 128: as many threads cooperate
//=   needs grid.x * block.x >= out: the launch has a thread for every i
//=   needs x and y apart
//= window_backwards:
//=   for block_y in 0 .. grid.y  (independent)
//=     for i in 0 .. out  (independent)
//=       float sum = 0
//=       for j in 0 .. k  (reduction)
//=         sum += i * step - j + k - 1 < n ? x[block_y * n + i * step - j + k - 1] : 0.0f
//=       y[block_y * out + i] = sum
//=   needs step >= 0: what is read of a tile is filled
//=   needs block.x == 128: as many threads cooperate
//=   needs grid.x * block.x >= out: the launch has a thread for every i
//=   needs x and y apart
//= reads_one_beyond:
//=   line 131: 'span' is read where it is not known to be filled
//= reads_before:
//=   line 147: 'span' is read where it is not known to be filled
//= fills_too_little:
//=   line 163: 'span' is read where it is not known to be filled
//= window_around:
//=   for i in 0 .. n  (independent)
//=     float sum = 0
//=     for j in -radius .. radius + 1  (reduction)
//=       sum += w[radius + j] * x[min(max(i + j + radius - radius, 0), n - 1)]
//=     y[i] = sum
//=   needs block.x == 128: as many threads cooperate
//=   needs grid.x * block.x >= n: the launch has a thread for every i
//=   needs w and y apart
//=   needs x and y apart
//= from_too_far:
//=   line 193: 'around' is read where it is not known to be filled
//= times_below_zero:
//=   line 208: 'around' is read where it is not known to be filled
