// SPDX-License-Identifier: Apache-2.0
// Maxima, sums and elements by three kernels, with the first two in scratch memory.
__device__ float lanes(float v, bool sum) {
  for (int step = 16; step > 0; step /= 2) {
    const float other = __shfl_xor_sync(~0u, v, step);
    v = sum ? v + other : fmaxf(v, other);
  }
  return v;
}
__global__ void maxima(const float *x, float *tops, int rows, int cols) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float top = NAN;
  for (int c = lane; c < cols; c += 32) top = fmaxf(top, x[(size_t)row * cols + c]);
  top = lanes(top, false);
  if (lane == 0) tops[row] = top;
}
__global__ void sums(const float *x, const float *tops, float *of_rows, int rows, int cols) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int c = lane; c < cols; c += 32) sum += expf(x[(size_t)row * cols + c] - tops[row]);
  sum = lanes(sum, true);
  if (lane == 0) of_rows[row] = sum;
}
__global__ void elements(const float *x, const float *tops, const float *of_rows, float *y, int cols) {
  const int c = blockIdx.x * 64 + threadIdx.x, row = blockIdx.y;
  if (c < cols) y[(size_t)row * cols + c] = expf(x[(size_t)row * cols + c] - tops[row]) / of_rows[row];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  float *tops = (float *)l.scratch(sizeof(float) * rows), *of_rows = (float *)l.scratch(sizeof(float) * rows);
  if (!tops || !of_rows) return false;
  maxima<<<(rows + 3) / 4, 128, 0, l.stream>>>(x, tops, rows, cols);
  sums<<<(rows + 3) / 4, 128, 0, l.stream>>>(x, tops, of_rows, rows, cols);
  elements<<<dim3((cols + 63) / 64, rows), 64, 0, l.stream>>>(x, tops, of_rows, y, cols);
  return true;
}
