// SPDX-License-Identifier: Apache-2.0
// A warp a row; each block adds its share of the loss with a float atomic.
__global__ void shares(const float *anchor, const float *near, const float *away, float *loss, int rows,
                       int cols) {
  __shared__ float parts[8];
  const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  float one = 0, other = 0;
  for (int c = lane; c < cols && row < rows; c += 32) {
    const size_t i = (size_t)row * cols + c;
    one += (anchor[i] - near[i]) * (anchor[i] - near[i]);
    other += (anchor[i] - away[i]) * (anchor[i] - away[i]);
  }
  for (int step = 16; step > 0; step /= 2) {
    one += __shfl_xor_sync(~0u, one, step);
    other += __shfl_xor_sync(~0u, other, step);
  }
  if (lane == 0) parts[threadIdx.x / 32] = row < rows ? fmaxf(sqrtf(one) - sqrtf(other) + 1, 0.0f) : 0;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int w = 0; w < 8; ++w) sum += parts[w];
  atomicAdd(loss, sum / rows);
}
bool launch(const cupilot::Launch &l, const float *anchor, const float *near, const float *away, float *loss,
            int rows, int cols) {
  if (rows == 0) return false;
  cudaMemsetAsync(loss, 0, sizeof(float), l.stream);
  shares<<<(rows + 7) / 8, 256, 0, l.stream>>>(anchor, near, away, loss, rows, cols);
  return true;
}
