// SPDX-License-Identifier: Apache-2.0
// A block a row, sums by shuffles and shared memory.
constexpr int kThreads = 128;  // knob: 64 128 256
__global__ void __launch_bounds__(kThreads)
    blocks(const float *x, const float *w, float *y, int rows, int cols) {
  __shared__ float parts[kThreads / 32];
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += kThreads) sum += from[c] * from[c];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_down_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < kThreads / 32; ++i) sum += parts[i];
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += kThreads)
    y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  blocks<<<rows, kThreads, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
