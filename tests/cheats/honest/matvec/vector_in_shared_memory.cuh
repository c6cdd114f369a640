// SPDX-License-Identifier: Apache-2.0
// The vector in shared memory, a tile at a time; eight rows a block, a warp each.
__global__ void tiled(const float *a, const float *x, float *y, int rows, int cols) {
  __shared__ float part[256];
  const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int begin = 0; begin < cols; begin += 256) {
    if (begin + threadIdx.x < cols) part[threadIdx.x] = x[begin + threadIdx.x];
    __syncthreads();
    if (row < rows)
      for (int c = lane; c < min(256, cols - begin); c += 32)
        sum += a[(size_t)row * cols + begin + c] * part[c];
    __syncthreads();
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0 && row < rows) y[row] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  tiled<<<(rows + 7) / 8, 256, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
