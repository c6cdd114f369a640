// What is left of a loop after `continue`, places of the largest, loops that count down, digits of the launch,
// branches around sums; and what looks like them.

// A transposed convolution as it is gathered: indices that change on the way, steps that are left out.
#pragma cupilot optimize
#pragma cupilot workload(a) set(B = 2, C = 3, H = 5, K = 3, stride = 2, pad = 1, OH = 9) in(x[B * C * H], w[C * K]) out(y[B * OH]) launch((B * OH + 63) / 64, 64)
__global__ void gathered(const float *x, const float *w, float *y, int B, int C, int H, int K, int stride,
                         int pad, int OH) {
  int total = B * OH, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total) return;
  int oh = i % OH, b = i / OH;
  float sum = 0;
  for (int c = 0; c < C; ++c)
    for (int k = 0; k < K; ++k) {
      int h = oh + pad - k;
      if (h < 0 || h % stride != 0) continue;
      h /= stride;
      if (h >= H) continue;
      sum += x[(b * C + c) * H + h] * w[c * K + k];
    }
  y[i] = sum;
}

// The index goes on from one step to the next.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 100, m = 7) in(x[n * m]) out(y[n]) launch((n + 63) / 64, 64)
__global__ void index_goes_on(const float *x, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  int at = 0;
  for (int k = 0; k < m; ++k) {
    if (x[i * m + k] < 0) continue;
    at = m - 1 - at;
    sum += x[i * m + at];
  }
  y[i] = sum;
}

// Two digits of blockIdx.z, and a bias that may be missing.
#pragma cupilot optimize
#pragma cupilot workload(a) set(N = 3, C = 4, W = 50) in(x[N * C * W], bias[C]) out(y[N * C * W]) launch(dim3((W + 31) / 32, 1, N * C), 32)
__global__ void digits_of_the_grid(const float *x, const float *bias, float *y, int N, int C, int W) {
  int w = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z / C, c = blockIdx.z % C;
  if (w >= W) return;
  y[(n * C + c) * W + w] = x[(n * C + c) * W + w] + (bias != nullptr ? bias[c] : 0.0f);
}

// blockIdx.z does not count whole rounds in this workload.
#pragma cupilot optimize
#pragma cupilot workload(a) set(N = 3, C = 4, W = 50) in(x[N * C * W]) out(y[N * C * W]) launch(dim3((W + 31) / 32, 1, N * C - 1), 32)
__global__ void no_whole_rounds(const float *x, float *y, int N, int C, int W) {
  int w = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z / C, c = blockIdx.z % C;
  if (w >= W) return;
  y[(n * C + c) * W + w] = x[(n * C + c) * W + w] * 2;
}

// Groups within digits.
#pragma cupilot optimize
#pragma cupilot workload(a) set(N = 3, C = 6, G = 2, W = 50) in(x[N * G * W]) out(y[N * C * W]) launch((N * C * W + 63) / 64, 64)
__global__ void groups_of_channels(const float *x, float *y, int N, int C, int G, int W) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N * C * W) return;
  int c = i / W % C, n = i / (W * C), g = c / (C / G);
  y[i] = x[(n * G + g) * W + i % W];
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 10, cols = 77) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void place_of_the_largest(const float *x, int *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = x[row * cols];
  int at = 0;
  for (int c = 1; c < cols; ++c) {
    float v = x[row * cols + c];
    if (v > best) {
      best = v;
      at = c;
    }
  }
  y[row] = at;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 10, cols = 77) in(x[rows * cols]) out(y[rows], z[rows]) launch((rows + 63) / 64, 64)
__global__ void smallest_and_place(const float *x, int *y, float *z, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = 1e30f;
  int at = -1;
  for (int c = 0; c < cols; ++c)
    if (x[row * cols + c] < best) {
      at = c;
      best = x[row * cols + c];
    }
  y[row] = at;
  z[row] = best;
}

// The last of equal ones is another place than the first.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 10, cols = 77) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void last_of_equal(const float *x, int *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = x[row * cols];
  int at = 0;
  for (int c = 1; c < cols; ++c)
    if (x[row * cols + c] >= best) {
      best = x[row * cols + c];
      at = c;
    }
  y[row] = at;
}

// What is kept is not what is compared.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 10, cols = 77) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void keeps_another(const float *x, int *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = x[row * cols];
  int at = 0;
  for (int c = 1; c < cols; ++c)
    if (x[row * cols + c] > best) {
      best = x[row * cols + c] * 0.5f;
      at = c;
    }
  y[row] = at;
}

// How many times the largest changed.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 10, cols = 77) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void counts_records(const float *x, int *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = x[row * cols];
  int at = 0;
  for (int c = 1; c < cols; ++c)
    if (x[row * cols + c] > best) {
      best = x[row * cols + c];
      at = at + 1;
    }
  y[row] = at;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 10, cols = 77) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 63) / 64, 64)
__global__ void counts_down(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float run = 0;
  for (int c = cols - 1; c >= 0; --c) {
    run += x[row * cols + c];
    y[row * cols + c] = run;
  }
}

// The order does not matter: it counts up.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 10, cols = 77) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void sums_down(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = cols - 1; c > 0; c--) sum += x[row * cols + c];
  y[row] = sum;
}

// By twos it does not reach the same places.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 10, cols = 77) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void down_by_twos(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = cols - 1; c >= 0; c -= 2) sum += x[row * cols + c];
  y[row] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 40) in(a[n * n], b[n * n]) out(c[n * n]) launch(dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16))
__global__ void leaves_after_work(const float *a, const float *b, float *c, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && col < n) {
    if (row > col) {
      c[row * n + col] = 0;
      return;
    }
    float sum = 0;
    for (int k = row; k <= col; ++k) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  }
}

// All that does anything says that row < n and col < n: the first because col <= row.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 40) in(a[n * n], b[n * n]) out(c[n * n]) launch(dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16))
__global__ void chain_of_conditions(const float *a, const float *b, float *c, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && col <= row) {
    float sum = 0;
    for (int k = col; k <= row; ++k) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  } else if (row < n && col < n) {
    c[row * n + col] = 0;
  }
}

// A tree counted by `while`, and a scalar that thread 0 leaves for all.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 10, cols = 300) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 128)
__global__ void mean_of_thread_0(const float *x, float *y, int rows, int cols) {
  __shared__ float cache[128];
  __shared__ float mean, scale;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += x[blockIdx.x * cols + c];
  cache[threadIdx.x] = sum;
  __syncthreads();
  int half = blockDim.x / 2;
  while (half != 0) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
    half /= 2;
  }
  if (threadIdx.x == 0) {
    mean = cache[0] / cols;
    scale = rsqrtf(mean * mean + 1.0f);
  }
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = (x[blockIdx.x * cols + c] - mean) * scale;
}

// The scalar is thread 1's, which has a part of the sum only.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 10, cols = 300) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 128)
__global__ void mean_of_thread_1(const float *x, float *y, int rows, int cols) {
  __shared__ float cache[128];
  __shared__ float mean;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += x[blockIdx.x * cols + c];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half != 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 1) mean = cache[1] / cols;
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = x[blockIdx.x * cols + c] - mean;
}

// A warp a row, and eight rows a block.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 10, cols = 300) in(x[rows * cols]) out(y[rows]) launch((rows + 7) / 8, dim3(32, 8))
__global__ void rows_of_warps(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += x[row * cols + c];
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) y[row] = sum;
}

// Of eight warps that each have a row's sum, all write one element.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 16, cols = 300) in(x[rows * cols]) out(y[rows]) launch((rows + 7) / 8, dim3(32, 8))
__global__ void warps_write_one(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += x[row * cols + c];
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
// A row of threads reads what another row has.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 16, cols = 300) in(x[rows * cols]) out(y[rows]) launch((rows + 7) / 8, dim3(32, 8))
__global__ void reads_another_row(const float *x, float *y, int rows, int cols) {
  __shared__ float sums[8];
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += x[row * cols + c];
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) sums[threadIdx.y] = sum;
  __syncthreads();
  if (threadIdx.x == 0) y[row] = sums[0];
}

// The first element is apart from the others.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 16, cols = 300) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void begins_with_first(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float top = x[row * cols], sum = x[row * cols];
  for (int c = 1; c < cols; ++c) top = fmaxf(top, x[row * cols + c]);
  for (int c = 1; c < cols; ++c) sum += x[row * cols + c];
  y[row] = sum / top;
}
// Looks like it: the second element is left out.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 16, cols = 300) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void leaves_second_out(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float top = x[row * cols];
  for (int c = 2; c < cols; ++c) top = fmaxf(top, x[row * cols + c]);
  y[row] = top;
}
// The first counts otherwise than the others.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 16, cols = 300) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void first_counts_less(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = x[row * cols] / 2;
  for (int c = 1; c < cols; ++c) sum += x[row * cols + c];
  y[row] = sum;
}
// What is found is used before the loop.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 16, cols = 300) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void used_before(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = x[row * cols];
  float first = 1;
  for (int c = 0; c < cols; ++c) first = fmaxf(first, x[row * cols + c] - sum);
  for (int c = 1; c < cols; ++c) sum += x[row * cols + c];
  y[row] = sum * first;
}
//= gathered:
//=   for i0 in 0 .. B  (independent)
//=     for i1 in 0 .. OH  (independent)
//=       float sum = 0
//=       for c in 0 .. C  (reduction)
//=         for k in 0 .. K  (reduction)
//=           if !(i1 + pad - k < 0 || (i1 + pad - k) % stride != 0)
//=             if !((i1 + pad - k) / stride >= H)
//=               sum += x[(i0 * C + c) * H + (i1 + pad - k) / stride] * w[c * K + k]
//=       y[OH * i0 + i1] = sum
//=   needs grid.x * block.x >= B * OH: the launch has a thread for every i
//=   needs w and y apart
//=   needs x and y apart
//= index_goes_on:
//=   for i in 0 .. n  (independent)
//=     float sum = 0
//=     int at = 0
//=     for k in 0 .. m  (in order)
//=       if !(x[i * m + k] < 0)
//=         at = m - 1 - at
//=         sum += x[i * m + at]
//=     y[i] = sum
//=   needs grid.x * block.x >= n: the launch has a thread for every i
//=   needs x and y apart
//= digits_of_the_grid:
//=   for block_z0 in 0 .. grid.z / C  (independent)
//=     for block_z1 in 0 .. C  (independent)
//=       for w in 0 .. W  (independent)
//=         y[(block_z0 * C + block_z1) * W + w] = x[(block_z0 * C + block_z1) * W + w] + bias[block_z1]
//=   needs bias != nullptr: there is a buffer 'bias'
//=   needs grid.x * block.x >= W: the launch has a thread for every w
//=   needs C > 0: there is something to divide by
//=   needs grid.z % C == 0: block_z counts in whole rounds
//=   needs bias and y apart
//=   needs x and y apart
//= no_whole_rounds:
//=   for block_z in 0 .. grid.z  (independent)
//=     for w in 0 .. W  (independent)
//=       y[(block_z / C * C + block_z % C) * W + w] = x[(block_z / C * C + block_z % C) * W + w] * 2
//=   needs grid.x * block.x >= W: the launch has a thread for every w
//=   needs x and y apart
//= groups_of_channels:
//=   for i0 in 0 .. N  (independent)
//=     for i10 in 0 .. C / (C / G)  (independent)
//=       for i11 in 0 .. C / G  (independent)
//=         for i2 in 0 .. W  (independent)
//=           y[C * W * i0 + W * (C / G * i10 + i11) + i2] = x[(i0 * G + i10) * W + i2]
//=   needs grid.x * block.x >= N * C * W: the launch has a thread for every i
//=   needs G > 0: there is something to divide by
//=   needs C / G > 0: there is something to divide by
//=   needs C % (C / G) == 0: i1 counts in whole rounds
//=   needs x and y apart
//= place_of_the_largest:
//=   for row in 0 .. rows  (independent)
//=     int at = 0
//=     unsigned long long best_key = 1 < cols ? arg_first(x[row * cols]) : 0xffffffffull
//=     for c in 1 .. cols  (reduction)
//=       float v = x[row * cols + c]
//=       best_key = max(best_key, arg_key(v, c))
//=     at = arg_place(best_key) == 0 ? at : arg_place(best_key)
//=     y[row] = at
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//= smallest_and_place:
//=   for row in 0 .. rows  (independent)
//=     float best = 1e30f
//=     int at = -1
//=     unsigned long long best_key = arg_first(-best)
//=     for c in 0 .. cols  (reduction)
//=       best_key = max(best_key, arg_key(-x[row * cols + c], c + 1))
//=     at = arg_place(best_key) == 0 ? at : arg_place(best_key) - 1
//=     best = -arg_value(best_key)
//=     y[row] = at
//=     z[row] = best
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//=   needs x and z apart
//= last_of_equal:
//=   for row in 0 .. rows  (independent)
//=     float best = x[row * cols]
//=     int at = 0
//=     for c in 1 .. cols  (in order)
//=       if x[row * cols + c] >= best
//=         best = x[row * cols + c]
//=         at = c
//=     y[row] = at
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//= keeps_another:
//=   for row in 0 .. rows  (independent)
//=     float best = x[row * cols]
//=     int at = 0
//=     for c in 1 .. cols  (in order)
//=       if x[row * cols + c] > best
//=         best = x[row * cols + c] * 0.5f
//=         at = c
//=     y[row] = at
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//= counts_records:
//=   for row in 0 .. rows  (independent)
//=     float best = x[row * cols]
//=     int at = 0
//=     for c in 1 .. cols  (in order)
//=       if x[row * cols + c] > best
//=         best = x[row * cols + c]
//=         at += 1
//=     y[row] = at
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//= counts_down:
//=   for row in 0 .. rows  (independent)
//=     float run = 0
//=     for c in 0 .. cols  (in order)
//=       run += x[row * cols + (-c + cols - 1)]
//=       y[row * cols + (-c + cols - 1)] = run
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//=   needs x and y apart
//= sums_down:
//=   for row in 0 .. rows  (independent)
//=     float sum = 0
//=     for c in 1 .. cols  (reduction)
//=       sum += x[row * cols + c]
//=     y[row] = sum
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//=   needs x and y apart
//= down_by_twos:
//=   line 179: a loop that does not count up to a bound
//= leaves_after_work:
//=   for row in 0 .. n  (independent)
//=     for col in 0 .. n  (independent)
//=       if row > col
//=         c[row * n + col] = 0
//=       else
//=         float sum = 0
//=         for k in row .. col + 1  (reduction)
//=           sum += a[row * n + k] * b[k * n + col]
//=         c[row * n + col] = sum
//=   needs grid.x * block.x >= n: the launch has a thread for every col
//=   needs grid.y * block.y >= n: the launch has a thread for every row
//=   needs a and c apart
//=   needs b and c apart
//= chain_of_conditions:
//=   for row in 0 .. n  (independent)
//=     for col in 0 .. n  (independent)
//=       if row < n && col <= row
//=         float sum = 0
//=         for k in col .. row + 1  (reduction)
//=           sum += a[row * n + k] * b[k * n + col]
//=         c[row * n + col] = sum
//=       else
//=         c[row * n + col] = 0
//=   needs grid.x * block.x >= n: the launch has a thread for every col
//=   needs grid.y * block.y >= n: the launch has a thread for every row
//=   needs a and c apart
//=   needs b and c apart
//= mean_of_thread_0:
//=   for block in 0 .. grid.x  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       sum += x[block * cols + c]
//=     for c in 0 .. cols  (independent)
//=       y[block * cols + c] = (x[block * cols + c] - sum / cols) * rsqrtf(sum / cols * (sum / cols) + 1.0f)
//=   needs block.x == 128: as many threads cooperate
//=   needs x and y apart
//= mean_of_thread_1:
//=   line 252: what is written here is no sum or maximum over the block
//= rows_of_warps:
//=   for block_ty in 0 .. rows  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       sum += x[block_ty * cols + c]
//=     y[block_ty] = sum
//=   needs block.x == 32: as many threads cooperate
//=   needs block.y * grid.x >= rows: the launch has threads for every block_ty
//=   needs x and y apart
//= warps_write_one:
//=   line 272: threads do not work apart from each other: every iteration writes the same element of 'y'
//= reads_another_row:
//=   line 288: what is written here is no sum or maximum over the block
//= begins_with_first:
//=   for row in 0 .. rows  (independent)
//=     float top = -INFINITY
//=     float sum = 0.0f
//=     for c in 0 .. cols  (reduction)
//=       top = max(top, x[row * cols + c])
//=     for c in 0 .. cols  (reduction)
//=       sum += x[row * cols + c]
//=     y[row] = sum / top
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//=   needs cols > 0: a row has a first element
//=   needs x and y apart
//= leaves_second_out:
//=   for row in 0 .. rows  (independent)
//=     float top = x[row * cols]
//=     for c in 2 .. cols  (reduction)
//=       top = max(top, x[row * cols + c])
//=     y[row] = top
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//=   needs x and y apart
//= first_counts_less:
//=   for row in 0 .. rows  (independent)
//=     float sum = x[row * cols] / 2
//=     for c in 1 .. cols  (reduction)
//=       sum += x[row * cols + c]
//=     y[row] = sum
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//=   needs x and y apart
//= used_before:
//=   for row in 0 .. rows  (independent)
//=     float sum = x[row * cols]
//=     float first = 1
//=     for c in 0 .. cols  (reduction)
//=       first = max(first, x[row * cols + c] - sum)
//=     for c in 1 .. cols  (reduction)
//=       sum += x[row * cols + c]
//=     y[row] = sum * first
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//=   needs x and y apart
