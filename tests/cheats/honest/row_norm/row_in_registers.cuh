// SPDX-License-Identifier: Apache-2.0
// The row stays in the registers of a warp; how many a lane holds is chosen by its width.
template <int kHeld>
__global__ void held(const float *x, const float *w, float *y, int rows, int cols) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float values[kHeld], sum = 0;
#pragma unroll
  for (int j = 0; j < kHeld; ++j) {
    const int c = lane + 32 * j;
    values[j] = c < cols ? x[(size_t)row * cols + c] : 0;
    sum += values[j] * values[j];
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  const float scale = rsqrtf(sum / cols + 1e-6f);
#pragma unroll
  for (int j = 0; j < kHeld; ++j)
    if (const int c = lane + 32 * j; c < cols) y[(size_t)row * cols + c] = values[j] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  const int blocks = (rows + 3) / 4;
  if (cols <= 64)
    held<2><<<blocks, 128, 0, l.stream>>>(x, w, y, rows, cols);
  else if (cols <= 256)
    held<8><<<blocks, 128, 0, l.stream>>>(x, w, y, rows, cols);
  else if (cols <= 2048)
    held<64><<<blocks, 128, 0, l.stream>>>(x, w, y, rows, cols);
  else
    return false;
  return true;
}
