// SPDX-License-Identifier: Apache-2.0
// Axes come from conditions, from loops and from the launch, in any order, and are taken apart and put together.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 64) in(x[rows * cols]) out(y[rows * cols]) launch(dim3(4, 4), dim3(16, 16))
__global__ void swapped(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) y[row * cols + col] = 2 * x[row * cols + col] + 1;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(nx = 32, ny = 32, nz = 32) in(u[nx * ny * nz]) inout(v[nx * ny * nz]) launch(dim3(4, 4, 4), dim3(8, 8, 8))
__global__ void stencil(const float *u, float *v, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  int at = (k * ny + j) * nx + i;
  v[at] = u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] + u[at - nx * ny] + u[at + nx * ny] - 6 * u[at];
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(N = 2, C = 3, H = 16, W = 16, K = 4, R = 3) in(x[N * C * H * W], w[K * C * R * R]) out(y[N * K * (H - R + 1) * (W - R + 1)]) launch(7, 256)
__global__ void convolution(const float *x, const float *w, float *y, int N, int C, int H, int W, int K, int R) {
  int P = H - R + 1, Q = W - R + 1;
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= N * K * P * Q) return;
  int q = idx % Q, p = idx / Q % P, k = idx / (Q * P) % K, n = idx / (Q * P * K);
  float acc = 0;
  for (int c = 0; c < C; c++)
    for (int r = 0; r < R; r++)
      for (int s = 0; s < R; s++) acc += x[((n * C + c) * H + p + r) * W + q + s] * w[((k * C + c) * R + r) * R + s];
  y[idx] = acc;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(x[n]) out(y[n]) launch(4, 256)
__global__ void grid_stride(const float *x, float *y, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = x[i] * x[i];
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(x[n]) out(y[n]) launch(4, 256)
__global__ void while_loop(const float *x, float *y, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  while (i < n) {
    y[i] = x[i] + 1;
    i += blockDim.x * gridDim.x;
  }
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1024) in(x[n]) out(y[n]) launch(4, 256)
__global__ void without_a_bound(const float *__restrict__ x, float *__restrict__ y) {
  int i = blockIdx.x * 256 + threadIdx.x;
  y[i] = -x[i];
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1024) in(x[n]) out(y[n]) launch(4, 256)
__global__ void same_element(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[0] = x[i];
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1024) inout(y[n]) launch(4, 256)
__global__ void reads_its_neighbour(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) y[i] = y[i - 1] + 1;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1024) in(x[n]) out(y[n]) launch(4, 256)
__global__ void is_volatile(volatile float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1024) in(x[n]) out(y[n]) launch(4, 256)
__global__ void half_of_them_twice(const float *x, float *y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 2;
  if (i < n) y[i] = x[i];
}

// A block's index is a digit of its threads' places.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 4096) in(x[n], s[n / 256]) out(y[n]) launch(n / 256, 256)
__global__ void scaled_by_block(const float *x, const float *s, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * s[blockIdx.x];
}

// The sizes leave the last block half empty: nothing is split.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 4000) in(x[n], s[n / 256 + 1]) out(y[n]) launch(n / 256 + 1, 256)
__global__ void scaled_by_the_last_block(const float *x, const float *s, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * s[blockIdx.x];
}
// A place that something is added to, in whatever order.
#pragma cupilot optimize
#pragma cupilot workload(a) in(x[514 * 514]) out(y[514 * 514]) launch(dim3(4, 256), dim3(128, 2))
__global__ void inner(const float *x, float *y) {
  int row = 1 + blockIdx.x * blockDim.x + threadIdx.x, col = threadIdx.y + (1 + blockIdx.y * blockDim.y);
  if (row > 512 || col > 512) return;
  y[col * 514 + row] = x[col * 514 + row - 1] + x[col * 514 + row + 1];
}
//= swapped:
//=   for col in 0 .. cols  (independent)
//=     for row in 0 .. rows  (independent)
//=       y[row * cols + col] = 2 * x[row * cols + col] + 1
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//=   needs grid.y * block.y >= cols: the launch has a thread for every col
//=   needs x and y apart
//= stencil:
//=   for k in 1 .. nz - 1  (independent)
//=     for j in 1 .. ny - 1  (independent)
//=       for i in 1 .. nx - 1  (independent)
//=         v[(k * ny + j) * nx + i] = u[(k * ny + j) * nx + i - 1] + u[(k * ny + j) * nx + i + 1] + u[(k * ny + j) * nx + i - nx] + u[(k * ny + j) * nx + i + nx] + u[(k * ny + j) * nx + i - nx * ny] + u[(k * ny + j) * nx + i + nx * ny] - 6 * u[(k * ny + j) * nx + i]
//=   needs grid.x * block.x >= nx - 1: the launch has a thread for every i
//=   needs grid.y * block.y >= ny - 1: the launch has a thread for every j
//=   needs grid.z * block.z >= nz - 1: the launch has a thread for every k
//=   needs u and v apart
//= convolution:
//=   for idx0 in 0 .. N  (independent)
//=     for idx1 in 0 .. K  (independent)
//=       for idx2 in 0 .. H - R + 1  (independent)
//=         for idx3 in 0 .. W - R + 1  (independent)
//=           float acc = 0
//=           for c in 0 .. C  (reduction)
//=             for r in 0 .. R  (reduction)
//=               for s in 0 .. R  (reduction)
//=                 acc += x[((idx0 * C + c) * H + idx2 + r) * W + idx3 + s] * w[((idx1 * C + c) * R + r) * R + s]
//=           y[K * (H - R + 1) * (W - R + 1) * idx0 + (H - R + 1) * (W - R + 1) * idx1 + (W - R + 1) * idx2 + idx3] = acc
//=   needs grid.x * block.x >= N * K * (H - R + 1) * (W - R + 1): the launch has a thread for every idx
//=   needs w and y apart
//=   needs x and y apart
//= grid_stride:
//=   for i in 0 .. n  (independent)
//=     y[i] = x[i] * x[i]
//=   needs x and y apart
//= while_loop:
//=   for i_2 in 0 .. n  (independent)
//=     y[i_2] = x[i_2] + 1
//=   needs x and y apart
//= without_a_bound:
//=   for i in 0 .. grid.x * block.x  (independent)
//=     y[i] = -x[i]
//=   needs block.x == 256: the kernel counts on this block size
//= same_element:
//=   line 63: threads do not work apart from each other: every iteration writes the same element of 'y'
//= reads_its_neighbour:
//=   line 70: threads do not work apart from each other: iterations read elements of 'y' that others write
//= is_volatile:
//=   line 77: the kernel accesses volatile memory
//= half_of_them_twice:
//=   line 84: threads do not work apart from each other: iterations may write the same element of 'y'
//= scaled_by_block:
//=   for i0 in 0 .. n / 256  (independent)
//=     for i1 in 0 .. 256  (independent)
//=       y[256 * i0 + i1] = x[256 * i0 + i1] * s[i0]
//=   needs block.x == 256: the kernel counts on this block size
//=   needs grid.x * block.x >= n: the launch has a thread for every i
//=   needs 256 > 0: there is something to divide by
//=   needs n % 256 == 0: i counts in whole rounds
//=   needs s and y apart
//=   needs x and y apart
//= scaled_by_the_last_block:
//=   for i in 0 .. n  (independent)
//=     y[i] = x[i] * s[i / 256]
//=   needs block.x == 256: the kernel counts on this block size
//=   needs grid.x * block.x >= n: the launch has a thread for every i
//=   needs s and y apart
//=   needs x and y apart
//= inner:
//=   for y_2 in 0 .. 512  (independent)
//=     for i in 0 .. 512  (independent)
//=       y[(y_2 + 1) * 514 + (i + 1)] = x[(y_2 + 1) * 514 + (i + 1) - 1] + x[(y_2 + 1) * 514 + (i + 1) + 1]
//=   needs grid.x * block.x >= 512: the launch has a thread for every i
//=   needs grid.y * block.y >= 512: the launch has a thread for every y_2
//=   needs x and y apart
