// SPDX-License-Identifier: Apache-2.0
//
// One kernel for each schedule, as people write them, with sizes that the CPU executor is quick with.
#include <cfloat>
#include <cuda_fp16.h>
#include <math.h>

#pragma cupilot optimize
#pragma cupilot workload(a) set(m = 64, n = 96, k = 48) in(a[m * k], b[k * n]) out(c[m * n]) \
    launch(dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16))
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float acc = 0;
    for (int i = 0; i < k; ++i) acc += a[row * k + i] * b[i * n + col];
    c[row * n + col] = acc;
  }
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 20, cols = 200) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 31) / 32, 32)
__global__ void softmax(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float top = -INFINITY, sum = 0;
  for (int c = 0; c < cols; c++) top = fmaxf(top, x[r * cols + c]);
  for (int c = 0; c < cols; c++) sum += expf(x[r * cols + c] - top);
  for (int c = 0; c < cols; c++) y[r * cols + c] = expf(x[r * cols + c] - top) / sum;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 70, cols = 90) in(x[rows * cols]) out(y[cols]) launch((cols + 63) / 64, 64)
__global__ void column_min(const float *x, float *y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float least = x[c];
  for (int r = 1; r < rows; r++)
    if (x[r * cols + c] < least) least = x[r * cols + c];
  y[c] = least;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 3000) in(p[n], t[n]) out(loss[1]) launch(1, 256)
__global__ void loss(const float *p, const float *t, float *loss, int n) {
  __shared__ float parts[256];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += (p[i] - t[i]) * (p[i] - t[i]);
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *loss = parts[0] / n;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 2000, bins = 32) in(x[n]) inout(counts[bins]) fill(x = randint(0, 32)) launch((n + 255) / 256, 256)
__global__ void histogram(const int *x, int *counts, int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] >= 0 && x[i] < bins) atomicAdd(&counts[x[i]], 1);
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 12, cols = 300) in(x[rows * cols]) out(y[rows * cols]) launch(1, rows)
__global__ void scan(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float run = 0;
  for (int c = 0; c < cols; c++) {
    run += x[r * cols + c];
    y[r * cols + c] = run;
  }
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(width = 40, height = 72) in(in[width * height]) out(out[width * height]) \
    launch(dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16))
__global__ void transpose(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 50, cols = 64) in(x[rows * cols]) out(y[rows * cols]) \
    launch(dim3((rows + 15) / 16, (cols + 15) / 16), dim3(16, 16))
__global__ void swapped(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) y[row * cols + col] = x[row * cols + col] > 0 ? x[row * cols + col] : 0;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 256) in(a[n * n], b[n * n]) out(c[n * n]) launch(dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16))
#pragma cupilot workload(odd) set(n = 69) in(a[n * n], b[n * n]) out(c[n * n]) launch(dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)) check
__global__ void triangle(const float *a, const float *b, float *c, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  if (row > col) {
    c[row * n + col] = 0;
    return;
  }
  float sum = 0;
  for (int k = row; k <= col; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(N = 4, C = 8, F = 16, H = 24, W = 40, K = 3, pad = 1) in(x[N * C * H * W], w[F * C * K * K], bias[F]) out(y[N * F * H * W]) launch(dim3((W + 15) / 16, (H + 15) / 16, N * F), dim3(16, 16))
#pragma cupilot workload(odd) set(N = 1, C = 3, F = 5, H = 7, W = 9, K = 3, pad = 1) in(x[N * C * H * W], w[F * C * K * K], bias[F]) out(y[N * F * H * W]) launch(dim3((W + 15) / 16, (H + 15) / 16, N * F), dim3(16, 16)) check
__global__ void padded(const float *x, const float *w, const float *bias, float *y, int N, int C, int F, int H, int W, int K, int pad) {
  int ow = blockIdx.x * blockDim.x + threadIdx.x, oh = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.z / F, f = blockIdx.z % F;
  if (ow >= W || oh >= H) return;
  float sum = bias ? bias[f] : 0.0f;
  for (int c = 0; c < C; ++c)
    for (int i = 0; i < K; ++i) {
      int h = oh + i - pad;
      if (h < 0 || h >= H) continue;
      for (int j = 0; j < K; ++j) {
        int v = ow + j - pad;
        if (v >= 0 && v < W) sum += x[((n * C + c) * H + h) * W + v] * w[((f * C + c) * K + i) * K + j];
      }
    }
  y[((n * F + f) * H + oh) * W + ow] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 4, cols = 20000) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 128)
#pragma cupilot workload(odd) set(rows = 3, cols = 517) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 128) check
__global__ void long_rows(const float *x, float *y, int rows, int cols) {
  __shared__ float cache[128];
  __shared__ float scale;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += fabsf(x[blockIdx.x * cols + c]);
  cache[threadIdx.x] = sum;
  __syncthreads();
  int half = blockDim.x / 2;
  while (half != 0) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
    half /= 2;
  }
  if (threadIdx.x == 0) scale = cache[0] / cols + 1e-3f;
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = x[blockIdx.x * cols + c] / scale;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 64, cols = 600) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
#pragma cupilot workload(odd) set(rows = 5, cols = 77) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64) check
__global__ void smallest_at(const float *x, int *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = x[row * cols];
  int at = 0;
  for (int c = 1; c < cols; ++c)
    if (x[row * cols + c] < best) {
      best = x[row * cols + c];
      at = c;
    }
  y[row] = at;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 64, cols = 600) in(x[rows * cols], keep[rows * cols]) out(y[rows * cols]) launch((rows + 63) / 64, 64)
#pragma cupilot workload(odd) set(rows = 5, cols = 77) in(x[rows * cols], keep[rows * cols]) out(y[rows * cols]) launch((rows + 63) / 64, 64) check
__global__ void scan_down(const float *x, const bool *keep, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float run = 0;
  for (int c = cols - 1; c >= 0; --c) {
    if (keep[row * cols + c]) run += x[row * cols + c];
    y[row * cols + c] = run;
  }
}

// A row in rounds as wide as the block, each scanned in shared memory.
#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 64, cols = 600) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 64)
#pragma cupilot workload(odd) set(rows = 5, cols = 77) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 64) check
__global__ void scan_by_blocks(const float *x, float *y, int rows, int cols) {
  __shared__ float sums[64];
  const int row = blockIdx.x, thread = threadIdx.x;
  if (row >= rows) return;
  float before = 0;
  for (int first = 0; first < cols; first += 64) {
    const int col = first + thread;
    sums[thread] = col < cols ? x[row * cols + col] : 0;
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
      const float left = thread >= step ? sums[thread - step] : 0;
      __syncthreads();
      sums[thread] += left;
      __syncthreads();
    }
    if (col < cols) y[row * cols + col] = before + sums[thread];
    before += sums[63];
    __syncthreads();
  }
}

// Each element has what comes before it.
#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 64, cols = 600) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 63) / 64, 64)
#pragma cupilot workload(odd) set(rows = 5, cols = 77) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 63) / 64, 64) check
__global__ void scan_before(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float run = 1;
  for (int c = 0; c < cols; ++c) {
    y[row * cols + c] = run;
    run += x[row * cols + c];
  }
}

// The upper half of a product whose blocks begin at their own row's tile.
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 256) in(a[n * n], b[n * n]) out(c[n * n]) launch(dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16))
#pragma cupilot workload(odd) set(n = 69) in(a[n * n], b[n * n]) out(c[n * n]) launch(dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)) check
__global__ void upper_tiles(const float *a, const float *b, float *c, int n) {
  __shared__ float a_tile[16][16], b_tile[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int tile = blockIdx.y; tile <= blockIdx.x; ++tile) {
    const int a_col = tile * 16 + threadIdx.x, b_row = tile * 16 + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row <= a_col && a_col < n && row < n ? a[row * n + a_col] : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] = b_row <= col && col < n ? b[b_row * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 1, cols = 33000) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 256)
#pragma cupilot workload(a) set(rows = 6, cols = 512) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 256)
__global__ void softmax_of_blocks(const float *x, float *y, int rows, int cols) {
  __shared__ float parts[256];
  const float *from = x + blockIdx.x * cols;
  float top = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < cols; c += 256) top = fmaxf(top, from[c]);
  parts[threadIdx.x] = top;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] = fmaxf(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  top = parts[0];
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += 256) sum += expf(from[c] - top);
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  sum = parts[0];
  for (int c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = expf(from[c] - top) / sum;
}

// Each column is a scan; neighbours in memory are other columns.
#pragma cupilot optimize
#pragma cupilot workload(odd) set(rows = 75, cols = 131) in(x[rows * cols]) out(y[rows * cols]) launch((cols + 63) / 64, 64)
__global__ void scan_columns(const float *x, float *y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float before = 0;
  for (int r = 0; r < rows; ++r) {
    y[r * cols + c] = before;
    before += x[r * cols + c];
  }
}

// Two loops that add to the same total: of everything, and of each row.
#pragma cupilot optimize
#pragma cupilot workload(odd) set(n = 10003) in(x[n], w[n]) out(y[1]) launch(1, 1)
__global__ void sum_of_two_loops(const float *x, const float *w, float *y, int n) {
  float sum = 0;
  for (int i = 0; i < n / 3; ++i) sum += x[i];
  for (int i = n / 3; i < n; ++i) sum += x[i] * w[i];
  *y = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(odd) set(rows = 45, cols = 301) in(x[rows * cols], w[rows * cols]) out(y[rows]) launch((rows + 31) / 32, 32)
__global__ void rows_of_two_loops(const float *x, const float *w, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int c = 0; c < r; ++c) sum += x[r * cols + c];
  for (int c = r; c < cols; ++c) sum += w[r * cols + c];
  y[r] = sum;
}

// As many elements as are known when it is compiled, and fewer than threads.
#pragma cupilot optimize
#pragma cupilot workload(odd) set(n = 10007) in(x[n]) inout(bins[256]) fill(bins = zeros) launch((n + 255) / 256, 256)
__global__ void byte_histogram(const unsigned char *x, unsigned *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i]], 1u);
}

// few outputs of long sums: blocks have parts of them
#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 2, m = 24, n = 16, k = 4096, beta = 0.5f) in(a[batch * k * m], b[batch * k * n]) \
    inout(c[batch * m * n]) launch(dim3((n + 7) / 8, (m + 7) / 8, batch), dim3(8, 8))
#pragma cupilot workload(small) set(batch = 3, m = 5, n = 3, k = 77, beta = -1.5f) in(a[batch * k * m], b[batch * k * n]) \
    inout(c[batch * m * n]) launch(dim3((n + 7) / 8, (m + 7) / 8, batch), dim3(8, 8)) check
__global__ void long_sums(const float *a, const float *b, float *c, int batch, int m, int n, int k, float beta) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[(z * k + i) * m + row] * b[(z * k + i) * n + column];
  c[(z * m + row) * n + column] = sum + beta * c[(z * m + row) * n + column];
}

// the same with outputs of several axes, and sums of several, as a filter's gradient is
#pragma cupilot optimize assume(H >= R, W >= R)
#pragma cupilot workload(large) set(N = 4, C = 3, H = 36, W = 34, K = 5, R = 3) in(x[N * C * H * W], g[N * K * (H - R + 1) * (W - R + 1)]) \
    out(d[K * C * R * R]) launch((K * C * R * R + 63) / 64, 64)
#pragma cupilot workload(small) set(N = 2, C = 2, H = 9, W = 11, K = 3, R = 3) in(x[N * C * H * W], g[N * K * (H - R + 1) * (W - R + 1)]) \
    out(d[K * C * R * R]) launch((K * C * R * R + 63) / 64, 64) check
__global__ void filter_gradient(const float *x, const float *g, float *d, int N, int C, int H, int W, int K, int R) {
  int P = H - R + 1, Q = W - R + 1, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= K * C * R * R) return;
  int s = i % R, r = i / R % R, c = i / (R * R) % C, k = i / (R * R * C);
  float sum = 0;
  for (int n = 0; n < N; ++n)
    for (int p = 0; p < P; ++p)
      for (int q = 0; q < Q; ++q) sum += x[((n * C + c) * H + p + r) * W + q + s] * g[((n * K + k) * P + p) * Q + q];
  d[i] = sum;
}

// Vectors of the user's: where they are not aligned the original fails, so there is nothing to write for it.
#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 5000) in(x[n]) out(y[n]) launch((n / 4 + 255) / 256, 256)
__global__ void four_or_rest(const float *x, float *y, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    const float4 v = *reinterpret_cast<const float4 *>(&x[i]);
    *reinterpret_cast<float4 *>(&y[i]) = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
  } else {
    for (; i < n; ++i) y[i] = 2 * x[i];
  }
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(rows = 40, cols = 260) in(x[rows * cols]) out(y[rows]) launch((rows + 127) / 128, 128)
__global__ void rows_of_vectors(const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; c += 4) {
    const float4 v = *reinterpret_cast<const float4 *>(x + row * cols + c);
    sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  y[row] = sum;
}

// Windows: padded, of a usual size and of others, and a stencil of three dimensions.
#pragma cupilot optimize
#pragma cupilot workload(w) set(planes = 6, h = 30, w = 70, k = 3, stride = 1, pad = 1) in(x[planes * h * w]) \
    out(y[planes * ((h + 2 * pad - k) / stride + 1) * ((w + 2 * pad - k) / stride + 1)]) \
    launch(dim3(((w + 2 * pad - k) / stride + 32) / 32, ((h + 2 * pad - k) / stride + 8) / 8, planes), dim3(32, 8))
#pragma cupilot workload(other) set(planes = 2, h = 21, w = 40, k = 4, stride = 2, pad = 2) in(x[planes * h * w]) \
    out(y[planes * ((h + 2 * pad - k) / stride + 1) * ((w + 2 * pad - k) / stride + 1)]) \
    launch(dim3(((w + 2 * pad - k) / stride + 32) / 32, ((h + 2 * pad - k) / stride + 8) / 8, planes), dim3(32, 8)) check
__global__ void largest_around(const float *x, float *y, int planes, int h, int w, int k, int stride, int pad) {
  const int rows = (h + 2 * pad - k) / stride + 1, cols = (w + 2 * pad - k) / stride + 1;
  const int q = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y * blockDim.y + threadIdx.y;
  if (q >= cols || p >= rows) return;
  float top = -3.4e38f;
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j) {
      const int r = p * stride - pad + i, c = q * stride - pad + j;
      if (r >= 0 && r < h && c >= 0 && c < w) top = fmaxf(top, x[(blockIdx.z * h + r) * w + c]);
    }
  y[(blockIdx.z * rows + p) * cols + q] = top;
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(nz = 12, ny = 21, nx = 70) in(u[nz * ny * nx]) inout(v[nz * ny * nx]) \
    launch(dim3((nx + 31) / 32, (ny + 7) / 8, nz), dim3(32, 8))
__global__ void seven_points(const float *u, float *v, int nz, int ny, int nx) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  const int at = (k * ny + j) * nx + i;
  v[at] = 0.4f * u[at] + 0.1f * (u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] + u[at - nx * ny] + u[at + nx * ny]);
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(rows = 12, n = 1000, k = 5) in(x[rows * n]) out(y[rows * n]) launch(dim3((n + 127) / 128, rows), 128)
__global__ void moving_mean(const float *x, float *y, int rows, int n, int k) {
  const int o = blockIdx.x * blockDim.x + threadIdx.x;
  if (o >= n) return;
  const int begin = max(o - k / 2, 0), end = min(o - k / 2 + k, n);
  float sum = 0;
  for (int i = begin; i < end; ++i) sum += x[blockIdx.y * n + i];
  y[blockIdx.y * n + o] = sum / (end - begin);
}

// Doubles on tensor cores, one operand the other way round, and edges.
#pragma cupilot optimize
#pragma cupilot workload(w) set(m = 70, n = 90, k = 37) in(a[k * m], b[k * n]) out(c[m * n]) \
    launch(dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16))
__global__ void double_products(const double *a, const double *b, double *c, int m, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  double sum = 0;
  for (int i = 0; i < k; ++i) sum += a[i * m + row] * b[i * n + col];
  c[row * n + col] = sum;
}

// Columns of planes, divided by what a column gives; and its largest, which begins with the first.
#pragma cupilot optimize
#pragma cupilot workload(w) set(batch = 3, features = 20, plane = 200) in(x[batch * features * plane]) \
    out(y[batch * features * plane]) launch((batch * plane + 127) / 128, 128)
__global__ void columns_by_norm(const float *x, float *y, int batch, int features, int plane) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * plane) return;
  const size_t begin = (size_t)(i / plane) * features * plane + i % plane;
  float top = x[begin], sum = 0;
  for (int f = 1; f < features; ++f) top = fmaxf(top, x[begin + (size_t)f * plane]);
  for (int f = 0; f < features; ++f) sum += expf(x[begin + (size_t)f * plane] - top);
  for (int f = 0; f < features; ++f) y[begin + (size_t)f * plane] = expf(x[begin + (size_t)f * plane] - top) / sum;
}

// Halves in pairs, and one that is left.
#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 2001) in(x[n]) out(y[n]) launch((n / 2 + 256) / 256, 256)
__global__ void pairs_or_one(const __half *x, __half *y, int n) {
  const int at = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (at + 1 < n) {
    float2 v = __half22float2(*reinterpret_cast<const __half2 *>(x + at));
    v.x = v.x / (1 + fabsf(v.x));
    v.y = v.y / (1 + fabsf(v.y));
    *reinterpret_cast<__half2 *>(y + at) = __float22half2_rn(v);
  } else if (at < n) {
    const float v = __half2float(x[at]);
    y[at] = __float2half(v / (1 + fabsf(v)));
  }
}

// Windows of a block's outputs in shared memory, as far as their sizes reach.
#pragma cupilot optimize
#pragma cupilot workload(w) set(rows = 12, n = 500, k = 5, step = 2) in(x[rows * n]) out(y[rows * ((n - k) / step + 1)]) \
    launch(dim3(((n - k) / step + 64) / 64, rows), 64, (63 * step + k) * 4)
__global__ void windows_in_tile(const float *x, float *y, int rows, int n, int k, int step) {
  extern __shared__ float span[];
  const int outputs = (n - k) / step + 1, first = blockIdx.x * 64;
  for (int i = threadIdx.x; i < 63 * step + k; i += 64) {
    const int at = first * step + i;
    span[i] = at < n ? x[blockIdx.y * n + at] : 0.0f;
  }
  __syncthreads();
  const int o = first + threadIdx.x;
  if (o >= outputs) return;
  float sum = 0;
  for (int j = 0; j < k; ++j) sum += span[threadIdx.x * step + j];
  y[blockIdx.y * outputs + o] = sum / k;
}

// The place of the largest, which threads look for together.
#pragma cupilot optimize
#pragma cupilot workload(w) set(rows = 24, cols = 517) in(x[rows * cols]) out(at[rows], largest[rows]) launch(rows, 64)
__global__ void place_of_largest(const float *x, long long *at, float *largest, int rows, int cols) {
  __shared__ float values[64];
  __shared__ int places[64];
  const int t = threadIdx.x;
  float best = -INFINITY;
  int place = -1;
  for (int c = t; c < cols; c += 64)
    if (x[blockIdx.x * cols + c] > best) best = x[blockIdx.x * cols + c], place = c;
  values[t] = best, places[t] = place;
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (t < s && (values[t + s] > values[t] || (values[t + s] == values[t] && places[t + s] < places[t])))
      values[t] = values[t + s], places[t] = places[t + s];
    __syncthreads();
  }
  if (t == 0) at[blockIdx.x] = places[0], largest[blockIdx.x] = values[0];
}

// The largest and the sum of exponentials below it, in one loop.
#pragma cupilot optimize
#pragma cupilot workload(w) set(rows = 24, cols = 517) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 32)
__global__ void online(const float *x, float *y, int rows, int cols) {
  float top = -FLT_MAX, sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) {
    const float v = x[blockIdx.x * cols + c], more = fmaxf(top, v);
    sum = sum * expf(top - more) + expf(v - more);
    top = more;
  }
  for (int o = 16; o > 0; o /= 2) {
    const float t = __shfl_xor_sync(~0u, top, o), s = __shfl_xor_sync(~0u, sum, o), more = fmaxf(top, t);
    sum = sum * expf(top - more) + s * expf(t - more);
    top = more;
  }
  for (int c = threadIdx.x; c < cols; c += 32)
    y[blockIdx.x * cols + c] = expf(x[blockIdx.x * cols + c] - top) / sum;
}

// Mean and squares around it, in one loop.
#pragma cupilot optimize
#pragma cupilot workload(w) set(rows = 24, cols = 517) in(x[rows * cols], w[cols]) out(y[rows * cols]) launch(rows, 32)
__global__ void mean_and_squares(const float *x, const float *w, float *y, int rows, int cols) {
  float n = 0, mean = 0, squares = 0;
  for (int c = threadIdx.x; c < cols; c += 32) {
    n += 1;
    const float d = x[blockIdx.x * cols + c] - mean;
    mean += d / n;
    squares += d * (x[blockIdx.x * cols + c] - mean);
  }
  for (int o = 16; o > 0; o /= 2) {
    const float other = __shfl_xor_sync(~0u, n, o), m = __shfl_xor_sync(~0u, mean, o),
                s = __shfl_xor_sync(~0u, squares, o), all = n + other, d = m - mean;
    if (all > 0) {
      mean += d * other / all;
      squares += s + d * d * n * other / all;
      n = all;
    }
  }
  for (int c = threadIdx.x; c < cols; c += 32)
    y[blockIdx.x * cols + c] = (x[blockIdx.x * cols + c] - mean) * rsqrtf(squares / n + 1e-5f) * w[c];
}

// What is read under a condition lies beside what is read without one.
#pragma cupilot optimize
#pragma cupilot workload(w) set(rows = 24, cols = 516) in(p[rows * cols], q[rows * cols]) out(y[rows]) launch(rows, 64)
__global__ void divergence(const float *p, const float *q, float *y, int rows, int cols) {
  __shared__ float sums[64];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 64)
    if (p[blockIdx.x * cols + c] > 0)
      sum += p[blockIdx.x * cols + c] * (logf(p[blockIdx.x * cols + c]) - q[blockIdx.x * cols + c]);
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sums[0];
}
