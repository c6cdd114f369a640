// Shared memory in parts that pointers name, arrays whose rows are counted out in one index, rows that are kept in shared
// memory while they are added up, and numbers that each iteration gives a value of its own.

// Two parts of the memory that is sized at launch.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4, cols = 1000) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 64, (cols + 2) * 4)
__global__ void kept_row(const float *x, float *y, int rows, int cols) {
  extern __shared__ float memory[];
  float *row = memory;
  float *sums = row + cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float v = x[blockIdx.x * cols + c];
    row[c] = v;
    sum += v * v;
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  float scale = rsqrtf(sums[0] + sums[1]);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = row[c] * scale;
}

// Both begin at the same place: the sums lie over the row.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4, cols = 1000) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 64, cols * 4)
__global__ void same_begin(const float *x, float *y, int rows, int cols) {
  extern __shared__ float memory[];
  float *row = memory, *sums = memory;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float v = x[blockIdx.x * cols + c];
    row[c] = v;
    sum += v * v;
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  float scale = rsqrtf(sums[0] + sums[1]);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = row[c] * scale;
}

// A part that moves.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4) in(x[rows * 64]) out(y[rows]) launch(rows, 32, 256)
__global__ void moving_part(const float *x, float *y, int rows) {
  extern __shared__ float memory[];
  float *part = memory;
  part[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  part += 32;
  part[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x + 32];
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}

// What the row keeps is not what was loaded: it has changed in between.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4, cols = 1000) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 32, cols * 4)
__global__ void kept_too_late(const float *x, float *y, int rows, int cols) {
  extern __shared__ float row[];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float v = x[blockIdx.x * cols + c];
    if (v < 0) v = 0;
    sum += v;
    row[c] = v;
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = row[c] / sum;
}

// A product with tiles of one index, a thread 8 x 8 sums; pointers move by a tile's rows.
#pragma cupilot optimize
#pragma cupilot workload(a) set(m = 256, n = 256, k = 64) in(a[m * k], b[k * n]) inout(c[m * n]) launch(dim3(n / 64, m / 64), 64)
__global__ void flat_tiles(int m, int n, int k, const float *a, const float *b, float *c) {
  const unsigned int row = threadIdx.x / 8, col = threadIdx.x % 8;
  __shared__ float left[64 * 8];
  __shared__ float right[8 * 64];
  a += blockIdx.y * 64 * k;
  b += blockIdx.x * 64;
  c += blockIdx.y * 64 * n + blockIdx.x * 64;
  float sums[8 * 8] = {0.0f};
  float of_left[8] = {0.0f}, of_right[8] = {0.0f};
  for (int tile = 0; tile * 8 < k; ++tile) {
    for (int down = 0; down < 64; down += 8) left[(row + down) * 8 + col] = a[(row + down) * k + col];
    for (int across = 0; across < 64; across += 8) right[row * 64 + across + col] = b[row * n + across + col];
    __syncthreads();
    a += 8;
    b += 8 * n;
    for (int p = 0; p < 8; ++p) {
      for (int i = 0; i < 8; ++i) of_left[i] = left[(row * 8 + i) * 8 + p];
      for (int j = 0; j < 8; ++j) of_right[j] = right[p * 64 + col * 8 + j];
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) sums[i * 8 + j] += of_left[i] * of_right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      const unsigned int at = (row * 8 + i) * n + col * 8 + j;
      c[at] = 2.0f * sums[i * 8 + j] + c[at];
    }
}

// Rows of the tile overlap: a column beyond the width is in the next row.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 4) in(x[rows * 64]) out(y[rows * 64]) launch(rows, 64)
__global__ void beyond_the_width(const float *x, float *y, int rows) {
  __shared__ float tile[64];
  for (int e = 0; e < 1; ++e) tile[threadIdx.x / 8 * 8 + threadIdx.x % 8] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int c = 0; c < 9; ++c) sum += tile[threadIdx.x / 16 * 8 + c];
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Two threads fill the same element.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 64) in(x[n * 64]) out(y[n * 64]) launch(n, 64)
__global__ void filled_twice(const float *x, float *y, int n) {
  __shared__ float tile[16][8];
  for (int down = 0; down < 16; down += 4)
    tile[threadIdx.x / 8 + down][threadIdx.x % 8] = x[(threadIdx.x / 8 + 2 * down) * 8 + threadIdx.x % 8];
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x % 8][threadIdx.x / 8];
}

// The pointer moves by less than the counter.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 100, cols = 64) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void moves_by_halves(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *p = x + row * cols;
  float sum = 0;
  for (int c = 0; c < cols; c += 4) {
    sum += p[0];
    p += 2;
  }
  y[row] = sum;
}

// Each iteration gives `last` a value, but the one before is read first.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 100, cols = 64) in(x[rows * cols]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void read_before(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0, last = 0, next = 0;
  for (int c = 0; c < cols; ++c) {
    next = x[row * cols + c];
    sum += next * last;
    last = next;
  }
  y[row] = sum;
}

// Stores with a hint, and a sum that begins anew.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 100, cols = 64) in(x[rows * cols]) out(mean[rows], y[rows]) launch((rows + 3) / 4, dim3(32, 4))
__global__ void hinted(const float *x, float *mean, float *y, int rows, int cols) {
  int row = blockIdx.x * 4 + threadIdx.y;
  if (row >= rows) return;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += __ldcs(x + row * cols + c);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  float m = sum / cols;
  if (threadIdx.x == 0) __stcs(mean + row, m);
  sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += (x[row * cols + c] - m) * (x[row * cols + c] - m);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  if (threadIdx.x == 0) __stcs(y + row, sum / cols);
}
//= kept_row:
//=   for block in 0 .. grid.x  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       float v = x[block * cols + c]
//=       sum += v * v
//=     float scale = rsqrtf(sum)
//=     for c in 0 .. cols  (independent)
//=       y[block * cols + c] = x[block * cols + c] * scale
//=   needs block.x == 64: as many threads cooperate
//=   needs x and y apart
//= same_begin:
//=   line 29: a pointer is computed in a way that hides which buffer it points to
//= moving_part:
//=   line 48: a pointer is computed in a way that hides which buffer it points to
//= kept_too_late:
//=   line 66: which element of shared memory a thread writes is not known
//= flat_tiles:
//=   for block_y_t0_i in 0 .. 64 * grid.y  (independent)
//=     for block_t1_j in 0 .. 64 * grid.x  (independent)
//=       float sums = 0
//=       for tile_p in 0 .. 8 * ((k + 7) / 8)  (reduction)
//=         float of_left = a[block_y_t0_i * k + tile_p]
//=         float of_right = b[n * tile_p + block_t1_j]
//=         sums += of_left * of_right
//=       c[block_y_t0_i * n + block_t1_j] = 2.0f * sums + c[block_y_t0_i * n + block_t1_j]
//=   needs block.x == 64: as many threads fill 'left'
//=   needs a and c apart
//=   needs b and c apart
//= beyond_the_width:
//=   line 113: 'tile' is read where it is not known to be filled
//= filled_twice:
//=   line 123: which thread fills which element of 'tile' is not known
//= moves_by_halves:
//=   line 138: the pointer 'p' moves
//= read_before:
//=   for row in 0 .. rows  (independent)
//=     float sum = 0
//=     float last = 0
//=     for c in 0 .. cols  (in order)
//=       float next = x[row * cols + c]
//=       sum += next * last
//=       last = next
//=     y[row] = sum
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//=   needs x and y apart
//= hinted:
//=   for block in 0 .. grid.x  (independent)
//=     for ty in 0 .. block.y  (independent)
//=       if block * 4 + ty < rows
//=         float sum = 0
//=         for c in 0 .. cols  (reduction)
//=           sum += x[(block * 4 + ty) * cols + c]
//=         float m = sum / cols
//=         mean[block * 4 + ty] = m
//=         float sum_2 = 0
//=         for c in 0 .. cols  (reduction)
//=           sum_2 += (x[(block * 4 + ty) * cols + c] - m) * (x[(block * 4 + ty) * cols + c] - m)
//=         y[block * 4 + ty] = sum_2 / cols
//=   needs block.x == 32: as many threads cooperate
//=   needs x and mean apart
//=   needs mean and y apart
//=   needs x and y apart
