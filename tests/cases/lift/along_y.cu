// Threads that work together along y: columns of a block add up columns of a matrix. They lift as teams along x do;
// what only looks so does not.

// A tree over the rows of threads; who writes is said together with where the matrix ends.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 512, cols = 300) in(x[rows * cols]) out(y[cols]) launch((cols + 31) / 32, dim3(32, 16))
__global__ void column_tree(const float *x, float *y, int rows, int cols) {
  __shared__ float tile[16][33];
  const int col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (col < cols)
    for (int r = threadIdx.y; r < rows; r += 16) sum += x[r * cols + col];
  tile[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  for (int s = 8; s > 0; s >>= 1) {
    if (threadIdx.y < s) tile[threadIdx.y][threadIdx.x] += tile[threadIdx.y + s][threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.y == 0 && col < cols) y[col] = tile[0][threadIdx.x] / rows;
}

// The first row of threads adds up what the others have.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 512, cols = 320) in(x[rows * cols]) out(y[cols]) launch(cols / 64, dim3(64, 8))
__global__ void column_most(const float *x, float *y, int rows, int cols) {
  __shared__ float part[8][64];
  const int col = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.y;
  float most = -INFINITY;
  for (int r = lane; r < rows; r += blockDim.y) most = fmaxf(most, x[r * cols + col]);
  part[lane][threadIdx.x] = most;
  __syncthreads();
  if (lane == 0) {
    for (int k = 1; k < 8; ++k) most = fmaxf(most, part[k][threadIdx.x]);
    y[col] = most;
  }
}

// Along x, with both conditions in one; no sum that is written is below a half.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 300, cols = 512) in(x[rows * cols]) out(y[rows]) launch(dim3(1, (rows + 7) / 8), dim3(32, 8))
__global__ void row_tree(const float *x, float *y, int rows, int cols) {
  __shared__ float tile[8][32];
  const int row = blockIdx.y * 8 + threadIdx.y, tx = threadIdx.x;
  float sum = 0;
  if (row < rows)
    for (int c = tx; c < cols; c += 32) sum += x[row * cols + c];
  tile[threadIdx.y][tx] = sum;
  __syncthreads();
  for (int s = 16; s > 0; s >>= 1) {
    if (tx < s) tile[threadIdx.y][tx] += tile[threadIdx.y][tx + s];
    __syncthreads();
  }
  if (row < rows && tx == 0) y[row] = fmaxf(tile[threadIdx.y][0], 0.5f);
}

// Lanes of a warp lie along x: what they exchange is of other columns.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 512, cols = 320) in(x[rows * cols]) out(y[cols]) launch(cols / 32, dim3(32, 8))
__global__ void column_then_shuffle(const float *x, float *y, int rows, int cols) {
  __shared__ float part[8][32];
  const int col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int r = threadIdx.y; r < rows; r += 8) sum += x[r * cols + col];
  sum += __shfl_xor_sync(~0u, sum, 1);
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int k = 1; k < 8; ++k) sum += part[k][threadIdx.x];
    y[col] = sum;
  }
}

// The tree leaves out the last row of threads.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 512, cols = 320) in(x[rows * cols]) out(y[cols]) launch(cols / 32, dim3(32, 8))
__global__ void column_less_one(const float *x, float *y, int rows, int cols) {
  __shared__ float part[8][32];
  const int col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int r = threadIdx.y; r < rows; r += 8) sum += x[r * cols + col];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int k = 1; k < 7; ++k) sum += part[k][threadIdx.x];
    y[col] = sum;
  }
}

// All columns of threads write to one place.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 512, cols = 320) in(x[rows * cols]) out(y[cols]) launch(cols / 32, dim3(32, 8))
__global__ void column_in_one_place(const float *x, float *y, int rows, int cols) {
  __shared__ float part[8];
  const int col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int r = threadIdx.y; r < rows; r += 8) sum += x[r * cols + col];
  part[threadIdx.y] = sum;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int k = 1; k < 8; ++k) sum += part[k];
    y[col] = sum;
  }
}

// The number of rows of threads is another in every workload, and the sum the same.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 512, cols = 320) in(x[rows * cols]) out(y[cols]) launch(cols / 32, dim3(32, 8))
#pragma cupilot workload(b) set(rows = 512, cols = 640) in(x[rows * cols]) out(y[cols]) launch(cols / 32, dim3(32, 16))
__global__ void column_of_any(const float *x, float *y, int rows, int cols) {
  __shared__ float part[16][32];
  const int col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int r = threadIdx.y; r < rows; r += blockDim.y) sum += x[r * cols + col];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int k = 1; k < blockDim.y; ++k) sum += part[k][threadIdx.x];
    y[col] = sum;
  }
}

// What the condition reads is there only where the first part of it holds.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 512) in(x[rows * cols], wanted[rows]) out(y[rows]) launch(rows, 64)
__global__ void wanted_rows(const float *x, const int *wanted, float *y, int rows, int cols) {
  __shared__ float part[64];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 64) sum += x[blockIdx.x * cols + c];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 32; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0 && wanted[blockIdx.x + threadIdx.x] > 0) y[blockIdx.x] = part[0];
}
//= column_tree:
//=   for col in 0 .. cols  (independent)
//=     float sum = 0
//=     for r in 0 .. rows  (reduction)
//=       sum += x[cols * r + col]
//=     y[col] = sum / rows
//=   needs block.x == 32: the kernel counts on this block size
//=   needs block.y == 16: as many threads cooperate
//=   needs grid.x * block.x >= cols: the launch has a thread for every col
//=   needs x and y apart
//= column_most:
//=   for col in 0 .. grid.x * block.x  (independent)
//=     float most = -INFINITY
//=     for r in 0 .. rows  (reduction)
//=       most = max(most, x[cols * r + col])
//=     y[col] = most
//=   needs block.y == 8: as many threads cooperate
//=   needs x and y apart
//= row_tree:
//=   for row in 0 .. rows  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       sum += x[cols * row + c]
//=     y[row] = fmaxf(sum, 0.5f)
//=   needs block.y == 8: the kernel counts on this block size
//=   needs block.x == 32: as many threads cooperate
//=   needs grid.y * block.y >= rows: the launch has a thread for every row
//=   needs x and y apart
//= column_then_shuffle:
//=   line 69: what is written here is no sum or maximum over the block
//= column_less_one:
//=   line 85: what is written here is no sum or maximum over the block
//= column_in_one_place:
//=   line 101: what is written here is no sum or maximum over the block
//= column_of_any:
//=   for col in 0 .. grid.x * block.x  (independent)
//=     float sum = 0
//=     for r in 0 .. rows  (reduction)
//=       sum += x[cols * r + col]
//=     y[col] = sum
//=   needs block.x == 32: the kernel counts on this block size
//=   needs block.y == 8 || block.y == 16: as many threads cooperate as in one of the workloads
//=   needs x and y apart
//= wanted_rows:
//=   line 135: threads of a block do not work apart from each other: every iteration writes the same element of 'y'
