// SPDX-License-Identifier: Apache-2.0
// Two blocks a row, whose maxima are merged by a second kernel; a NaN stays one.
__device__ float greater(float a, float b) {
  return a != a ? a : (b > a || b != b) ? b : a;
}
__global__ void halves(const float *x, float *best, int rows, int cols) {
  const int row = blockIdx.x, begin = blockIdx.y * ((cols + 1) / 2), end = min(begin + (cols + 1) / 2, cols);
  float mine = -INFINITY;
  for (int c = begin + threadIdx.x; c < end; c += 64) mine = greater(mine, x[(size_t)row * cols + c]);
  for (int step = 16; step > 0; step /= 2) mine = greater(mine, __shfl_xor_sync(~0u, mine, step));
  __shared__ float other;
  if (threadIdx.x == 32) other = mine;
  __syncthreads();
  if (threadIdx.x == 0) best[row * 2 + blockIdx.y] = greater(mine, other);
}
__global__ void merged(const float *best, float *top, int rows) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row < rows) top[row] = greater(best[2 * row], best[2 * row + 1]);
}
bool launch(const cupilot::Launch &l, const float *x, float *top, int rows, int cols) {
  float *best = (float *)l.scratch(sizeof(float) * 2 * rows);
  if (!best) return false;
  halves<<<dim3(rows, 2), 64, 0, l.stream>>>(x, best, rows, cols);
  merged<<<(rows + 63) / 64, 64, 0, l.stream>>>(best, top, rows);
  return true;
}
