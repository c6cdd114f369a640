// SPDX-License-Identifier: Apache-2.0
// The columns are split over blocks, which add to the output with float atomics.
__global__ void shares(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int c = blockIdx.y * 32 + lane; c < cols; c += gridDim.y * 32) sum += a[(size_t)row * cols + c] * x[c];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) atomicAdd(y + row, sum);
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  cudaMemsetAsync(y, 0, sizeof(float) * rows, l.stream);
  shares<<<dim3((rows + 3) / 4, 4), 128, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
