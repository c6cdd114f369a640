// SPDX-License-Identifier: Apache-2.0
// Blocks take the rows in another order than that of their numbers.
__global__ void swizzled(const float *x, const float *w, float *y, int rows, int cols) {
  const int groups = (rows + 7) / 8, row = blockIdx.x % groups * 8 + blockIdx.x / groups;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  __shared__ float sums[8];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 256) sum += from[c] * from[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += sums[i];
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 256) y[(size_t)row * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  if (rows > 0) swizzled<<<(rows + 7) / 8 * 8, 256, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
