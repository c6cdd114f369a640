// SPDX-License-Identifier: Apache-2.0
// A warp a row; sums of rows in scratch memory, then a tree.
__global__ void by_rows(const float *p, const float *q, float *sums, int rows, int cols) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int c = lane; c < cols; c += 32) {
    const size_t i = (size_t)row * cols + c;
    sum += expf(q[i]) * (q[i] - p[i]);
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) sums[row] = sum;
}
__global__ void tree(const float *sums, float *loss, int rows) {
  __shared__ float parts[128];
  float sum = 0;
  for (int r = threadIdx.x; r < rows; r += 128) sum += sums[r];
  parts[threadIdx.x] = sum;
  for (int half = 64; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *loss = parts[0] / rows;
}
bool launch(const cupilot::Launch &l, const float *p, const float *q, float *loss, int rows, int cols) {
  float *sums = (float *)l.scratch(sizeof(float) * rows);
  if (!sums) return false;
  by_rows<<<(rows + 3) / 4, 128, 0, l.stream>>>(p, q, sums, rows, cols);
  tree<<<1, 128, 0, l.stream>>>(sums, loss, rows);
  return true;
}
