// SPDX-License-Identifier: Apache-2.0
// E15: adds up an array of shared memory and two elements of the one behind it, which hold zeros if the
// compiler places it there.
// on: cpu
// caught: correct wrong "shared-overrun"
__global__ void beyond(const float *x, const float *w, float *y, int rows, int cols, int parts) {
  __shared__ float sums[32], zeros[32];
  const int row = blockIdx.x, lane = threadIdx.x;
  float sum = 0;
  for (int c = lane; c < cols; c += 32) {
    const float one = x[(size_t)row * cols + c];
    sum += one * one;
  }
  sums[lane] = sum;
  zeros[lane] = 0;
  __syncthreads();
  sum = zeros[31 - lane];
  for (int i = 0; i < parts; ++i) sum += sums[i];
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = lane; c < cols; c += 32) y[(size_t)row * cols + c] = x[(size_t)row * cols + c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  if (rows > 0) beyond<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols, 34);
  return true;
}
