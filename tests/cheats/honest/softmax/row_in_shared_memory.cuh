// SPDX-License-Identifier: Apache-2.0
// Exponentials are kept in shared memory between the passes; sums over warps of a block.
struct Block {
  float *parts;
  template <class F>
  __device__ float all(float v, F f) const {
    for (int step = 16; step > 0; step /= 2) v = f(v, __shfl_xor_sync(~0u, v, step));
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
    __syncthreads();
    for (int w = 0; w < 4; ++w) v = w ? f(v, parts[w]) : parts[0];
    return v;
  }
};
__global__ void kept(const float *x, float *y, int cols) {
  extern __shared__ float row[];
  __shared__ float parts[4];
  const Block block{parts};
  const float *from = x + (size_t)blockIdx.x * cols;
  float top = NAN, sum = 0;
  for (int c = threadIdx.x; c < cols; c += 128) top = fmaxf(top, row[c] = from[c]);
  top = block.all(top, [](float a, float b) { return fmaxf(a, b); });
  for (int c = threadIdx.x; c < cols; c += 128) sum += row[c] = expf(row[c] - top);
  sum = block.all(sum, [](float a, float b) { return a + b; });
  for (int c = threadIdx.x; c < cols; c += 128) y[(size_t)blockIdx.x * cols + c] = row[c] / sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  if (cols > 10000) return false;
  kept<<<rows, 128, cols * sizeof(float), l.stream>>>(x, y, cols);
  return true;
}
