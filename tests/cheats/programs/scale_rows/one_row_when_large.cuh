// SPDX-License-Identifier: Apache-2.0
// D13: does one row of 8192 at sizes that a CPU does not run whole, and every row below.
// on: cpu
// caught: estimate wrong "launches write at most"
// caught: coverage rejected "variant.cuh"
__global__ void one(const float *x, const float *w, float *y, int rows, int cols) {
  const int row = blockIdx.x;
  const float *from = x + (size_t)row * cols;
  __shared__ float sums[256];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 256) sum += from[c] * from[c];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  const float scale = rsqrtf(sums[0] / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 256) y[(size_t)row * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  const int some = rows > 4096 ? 1 : rows;
  if (some > 0) one<<<some, 256, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
